//! Makes pictures of a page small: at most 256 colours are kept.

use anyhow::{Context, Result, ensure};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::Path;

type Rgb = [u8; 3];

const COLOURS: usize = 256;

/// Rewrites a PNG with its most frequent colours. A page has few grounds, which stay as they are; what comes nearest
/// takes the place of the rarest shades at the edges of letters.
pub(crate) fn reduce(file: &Path) -> Result<()> {
    let (width, pixels) =
        read(file).with_context(|| format!("{} is no PNG to reduce.", file.display()))?;
    let palette = most_frequent(&pixels);
    let mut known = BTreeMap::new();
    let indices: Vec<u8> = pixels
        .iter()
        .map(|&pixel| {
            *known
                .entry(pixel)
                .or_insert_with(|| nearest(&palette, pixel))
        })
        .collect();
    let smaller = file.with_extension("part");
    write(&smaller, width, &palette, &indices)?;
    Ok(fs::rename(smaller, file)?)
}

/// The width, and the pixels row by row.
fn read(file: &Path) -> Result<(u32, Vec<Rgb>)> {
    let mut decoder = Decoder::new(BufReader::new(File::open(file)?));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut buffer = vec![0; reader.output_buffer_size().context("It is too large.")?];
    let frame = reader.next_frame(&mut buffer)?;
    let samples = frame.color_type.samples();
    ensure!(samples >= 3, "It has no colours.");
    buffer.truncate(frame.buffer_size());
    let pixels = buffer
        .chunks_exact(samples)
        .filter_map(|pixel| pixel.first_chunk().copied());
    Ok((frame.width, pixels.collect()))
}

fn most_frequent(pixels: &[Rgb]) -> Vec<Rgb> {
    let mut counts = BTreeMap::<Rgb, usize>::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut colours: Vec<(Rgb, usize)> = counts.into_iter().collect();
    colours.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    colours
        .into_iter()
        .take(COLOURS)
        .map(|(colour, _)| colour)
        .collect()
}

fn nearest(palette: &[Rgb], pixel: Rgb) -> u8 {
    let distance = |colour: &Rgb| -> u32 {
        let parts = colour.iter().zip(pixel);
        parts
            .map(|(&of, part)| u32::from(of.abs_diff(part)).pow(2))
            .sum()
    };
    let near = palette
        .iter()
        .zip(0..=u8::MAX)
        .min_by_key(|(colour, _)| distance(colour));
    near.map_or(0, |(_, index)| index)
}

fn write(file: &Path, width: u32, palette: &[Rgb], indices: &[u8]) -> Result<()> {
    let height = indices.len() as u32 / width.max(1);
    let mut encoder = Encoder::new(BufWriter::new(File::create(file)?), width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(Compression::High);
    Ok(encoder.write_header()?.write_image_data(indices)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_colours_stay_and_rare_ones_move_to_the_nearest() {
        let mut pixels = vec![[255, 255, 255]; 900];
        pixels.extend((0..300).map(|shade: u16| [0, (shade / 2) as u8, (shade % 2) as u8]));
        pixels.extend([[0, 0, 0]; 2]);
        let palette = most_frequent(&pixels);
        assert_eq!(
            (palette.len(), palette[0], palette[1]),
            (COLOURS, [255, 255, 255], [0, 0, 0])
        );
        assert_eq!(
            palette[usize::from(nearest(&palette, [250, 255, 255]))],
            [255, 255, 255]
        );
    }

    #[test]
    fn a_picture_keeps_its_size_and_what_it_shows() {
        let file =
            std::env::temp_dir().join(format!("hunkwise-palette-{}.png", std::process::id()));
        let pixels: Vec<Rgb> = (0..60).map(|at| [at, 0, 255]).collect();
        let indices: Vec<u8> = (0..60).collect();
        write(&file, 10, &pixels, &indices).unwrap();
        reduce(&file).unwrap();
        assert_eq!(read(&file).unwrap(), (10, pixels));
        fs::remove_file(file).unwrap();
    }
}
