//! What the API's JSON says, as far as the page reads it. Fields that a host may leave out have defaults.

use serde::Deserialize;

/// `GET /repos/O/N/pulls/NUMBER`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Pull {
    #[serde(default)]
    pub(crate) title: String,
    pub(crate) base: Side,
    pub(crate) head: Side,
    #[serde(default)]
    pub(crate) changed_files: u32,
}

/// One end of a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Side {
    pub(crate) sha: String,
    /// Null where the fork was deleted.
    #[serde(default)]
    pub(crate) repo: Option<Repo>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Repo {
    /// `owner/name`.
    pub(crate) full_name: String,
}

/// `GET /repos/O/N/commits/COMMIT`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Commit {
    pub(crate) sha: String,
    #[serde(default)]
    pub(crate) commit: Message,
    #[serde(default)]
    pub(crate) parents: Vec<Parent>,
    #[serde(default)]
    pub(crate) files: Vec<ChangedFile>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Message {
    #[serde(default)]
    pub(crate) message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Parent {
    pub(crate) sha: String,
}

/// `GET /repos/O/N/compare/BASE...HEAD`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Compare {
    pub(crate) merge_base_commit: Parent,
    /// From the oldest on. Empty where the head is the base, or stands before it.
    #[serde(default)]
    pub(crate) commits: Vec<Parent>,
    /// At most the first 300, and only on the first page.
    #[serde(default)]
    pub(crate) files: Vec<ChangedFile>,
}

/// One file of a change, in the lists of all three.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct ChangedFile {
    pub(crate) filename: String,
    #[serde(default)]
    pub(crate) previous_filename: Option<String>,
    #[serde(default)]
    pub(crate) status: String,
    #[serde(default)]
    pub(crate) additions: u32,
    #[serde(default)]
    pub(crate) deletions: u32,
    /// Of the content, the old one of a removed file.
    #[serde(default)]
    pub(crate) sha: Option<String>,
    /// Hunks without any header; left out where the file is binary or its change is too large.
    #[serde(default)]
    pub(crate) patch: Option<String>,
}

/// The first line of a commit's message.
pub(crate) fn title(message: &str) -> String {
    message.lines().next().unwrap_or("").to_owned()
}

/// What GitHub says where it refuses; empty where it says nothing.
pub(crate) fn message(body: &str) -> String {
    #[derive(Deserialize)]
    struct Words {
        message: String,
    }
    serde_json::from_str(body).map_or(String::new(), |words: Words| words.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pull_request_of_a_deleted_fork_is_read() {
        let json = r#"{"number": 3, "title": "Fix", "changed_files": 2,
            "base": {"sha": "aaa", "ref": "main", "repo": {"full_name": "o/n", "private": false}},
            "head": {"sha": "bbb", "ref": "fix", "repo": null}}"#;
        let pull: Pull = serde_json::from_str(json).unwrap();
        assert_eq!((pull.head.sha.as_str(), pull.head.repo), ("bbb", None));
        assert_eq!(pull.base.repo.unwrap().full_name, "o/n");
    }

    #[test]
    fn a_file_without_a_patch_is_read() {
        let json = r#"{"filename": "a.py", "status": "modified", "changes": 90000}"#;
        let file: ChangedFile = serde_json::from_str(json).unwrap();
        assert_eq!((file.filename.as_str(), file.patch), ("a.py", None));
    }
}
