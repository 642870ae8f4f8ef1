//! The ten rules' cards, one file a rule.

mod r01;
mod r02;
mod r03;
mod r04;
mod r05;
mod r06;
mod r07;
mod r08;
mod r09;
mod r10;

use crate::model::RuleCard;

pub(crate) const CARDS: [RuleCard; 10] = [
    r01::CARD,
    r02::CARD,
    r03::CARD,
    r04::CARD,
    r05::CARD,
    r06::CARD,
    r07::CARD,
    r08::CARD,
    r09::CARD,
    r10::CARD,
];
