//! `[files]`: where customers' files are kept.

use std::path::Path;

use files::storage::{S3Credentials, S3Options, StorageOptions};
use kernel::secret::SecretString;
use url::Url;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "files";
const FOLDER: &str = "files";

static URL: Setting = Setting::new(SECTION, "url", "LECTERN_FILES_URL").or_else("the folder files in store.data_dir");
static ENDPOINT: Setting =
    Setting::new(SECTION, "s3_endpoint", "LECTERN_S3_ENDPOINT").or_else("Amazon S3 of the region");
static REGION: Setting = Setting::new(SECTION, "s3_region", "LECTERN_S3_REGION").or("us-east-1");
static ACCESS_KEY: Setting = Setting::new(SECTION, "s3_access_key", "LECTERN_S3_ACCESS_KEY")
    .shaped(Shape::Secret)
    .or_else("the role of the machine");
static SECRET_KEY: Setting = Setting::new(SECTION, "s3_secret_key", "LECTERN_S3_SECRET_KEY")
    .shaped(Shape::Secret)
    .or_else("the role of the machine");

/// `[files]`
#[derive(Clone, Debug)]
pub struct Files {
    /// The bucket; `None` for a folder in the data folder.
    s3: Option<S3Options>,
}

impl Files {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let place = reader.optional(&URL, bucket_and_prefix);
        let endpoint = reader.optional(&ENDPOINT, parse::base_url);
        let region = reader.required(&REGION, region);
        let access_key = reader.optional(&ACCESS_KEY, secret);
        let secret_key = reader.optional(&SECRET_KEY, secret);
        let credentials = reader.pair((&ACCESS_KEY, access_key?), (&SECRET_KEY, secret_key?))?;
        let credentials = credentials.map(|(access_key, secret_key)| S3Credentials { access_key, secret_key });
        let (place, endpoint, region) = (place?, endpoint?, region?);
        if place.is_none() && (endpoint.is_some() || credentials.is_some()) {
            let setting = if endpoint.is_some() { &ENDPOINT } else { &ACCESS_KEY };
            return reader.refuse(setting, "needs LECTERN_FILES_URL too, such as s3://bucket/prefix");
        }
        let options =
            |(bucket, prefix)| S3Options { bucket, prefix, endpoint, region, credentials, extra_ca_pem: None };
        Some(Self { s3: place.map(options) })
    }

    /// Where the files of a data folder are. `extra_ca_pem` is trusted besides the system's certificates.
    pub fn storage(&self, data_dir: &Path, extra_ca_pem: Option<&[u8]>) -> StorageOptions {
        match &self.s3 {
            Some(s3) => StorageOptions::S3(S3Options { extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec), ..s3.clone() }),
            None => StorageOptions::Folder(data_dir.join(FOLDER)),
        }
    }
}

fn bucket_and_prefix(text: &str) -> Result<(String, String), String> {
    let wrong = || "must be an address such as s3://bucket/prefix".to_owned();
    let url = Url::parse(text).map_err(|_| wrong())?;
    let is_plain = url.scheme() == "s3"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && url.port().is_none();
    let bucket = url.host_str().filter(|bucket| is_plain && !bucket.is_empty()).ok_or_else(wrong)?;
    let prefix = url.path().trim_matches('/');
    if prefix.split('/').any(|part| part.is_empty() && !prefix.is_empty()) || prefix.contains('%') {
        return Err(wrong());
    }
    Ok((bucket.to_owned(), prefix.to_owned()))
}

fn region(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_name { Ok(text.to_owned()) } else { Err("must be the name of a region, such as eu-central-1".to_owned()) }
}

fn secret(text: &str) -> Result<SecretString, String> {
    if text.is_empty() { Err("must not be empty".to_owned()) } else { Ok(text.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_may_have_a_prefix() {
        let read = |text| bucket_and_prefix(text).ok();
        let place = |bucket: &str, prefix: &str| Some((bucket.to_owned(), prefix.to_owned()));
        assert_eq!(read("s3://school"), place("school", ""));
        assert_eq!(read("s3://school/lectern/files/"), place("school", "lectern/files"));
        for wrong in
            ["school", "s3://", "s3:///x", "https://school/x", "s3://u:p@school", "s3://school/a//b", "s3://s?x"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
