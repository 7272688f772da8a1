use super::head::tests::example;
use super::*;
use proofplay_core::Bounds;
use std::fs;

/// A temporary folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("proofplay-checkpoint-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path) -> Checkpoint {
    let checkpoint = Checkpoint::new(path, Duration::from_secs(60), example()).unwrap();
    let mut report = Report::<u8>::new(Bounds::WDL);
    (report.nodes, report.elapsed) = (30, Duration::from_millis(6));
    checkpoint.save(&report, &mut |out| {
        out.u64(u64::MAX - 1)?;
        out.i16(-5)?;
        out.u128(1 << 100)
    });
    checkpoint
}

#[test]
fn files_read_back_and_add_up() {
    let folder = Folder::new("back");
    let path = folder.0.join("one");
    let written = write(&path).last().0.unwrap();
    assert_eq!(written.bytes, fs::metadata(&path).unwrap().len());
    let checkpoint = Checkpoint::resume(&path, &path, Duration::from_secs(60), &Arc::default()).unwrap();
    let spent = checkpoint.head().spent;
    assert_eq!((spent.nodes, spent.playouts, spent.elapsed.as_millis()), (42, 4, 1240));
    assert_eq!(Head { spent: example().spent, ..checkpoint.head().clone() }, example());
    let mut data = checkpoint.take().unwrap();
    assert_eq!((data.u64(), data.i16()), (Ok(u64::MAX - 1), Ok(-5)));
    assert_eq!((data.u128(), data.u8().is_err()), (Ok(1 << 100), true));
    assert_eq!((data.end(), checkpoint.take().is_none()), (Ok(()), true));
}

#[test]
fn whoever_stops_need_not_wait() {
    let folder = Folder::new("stop");
    let (path, stop) = (folder.0.join("one"), Arc::new(AtomicBool::new(false)));
    write(&path);
    let mut data = open(&path, &stop).unwrap().1;
    assert_eq!((data.u64(), data.expect_no_stop()), (Ok(u64::MAX - 1), Ok(())));
    stop.store(true, Relaxed);
    assert_eq!((data.i16(), data.expect_no_stop()), (Err(Flaw::Stopped), Err(Flaw::Stopped)));
    assert_eq!(open(&path, &stop).unwrap_err(), Flaw::Stopped);
}

#[test]
fn missing_bytes_and_flipped_bits_are_noticed() {
    let folder = Folder::new("flip");
    let (path, bad) = (folder.0.join("one"), folder.0.join("bad"));
    write(&path);
    let file = fs::read(&path).unwrap();
    for length in (0..file.len()).step_by(3) {
        fs::write(&bad, &file[..length]).unwrap();
        assert!(
            matches!(open(&bad, &Arc::default()), Err(Flaw::Foreign | Flaw::Damaged | Flaw::Format(_))),
            "{length} bytes"
        );
    }
    for bit in (0..8 * file.len()).step_by(7) {
        let mut bytes = file.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&bad, &bytes).unwrap();
        assert!(
            matches!(open(&bad, &Arc::default()), Err(Flaw::Foreign | Flaw::Damaged | Flaw::Format(_))),
            "bit {bit}"
        );
    }
    fs::write(&bad, [&file[..], b"x"].concat()).unwrap();
    assert_eq!(open(&bad, &Arc::default()).unwrap_err(), Flaw::Damaged);
    assert!(matches!(open(&folder.0, &Arc::default()).unwrap_err(), Flaw::Unreadable(_) | Flaw::Foreign));
    assert!(matches!(open(&folder.0.join("none"), &Arc::default()), Err(Flaw::Unreadable(_))));
}

#[test]
fn a_failed_write_leaves_the_old_file_and_no_other() {
    let folder = Folder::new("fail");
    let path = folder.0.join("one");
    fs::write(folder.0.join(".one.123.part"), b"left by a killed run").unwrap();
    fs::write(folder.0.join(".one.more.part"), b"somebody else's").unwrap();
    let checkpoint = write(&path);
    let before = fs::read(&path).unwrap();
    let report = Report::<u8>::new(Bounds::WDL);
    checkpoint.save(&report, &mut |_| Err(io::Error::other("the disk is full")));
    assert_eq!(checkpoint.last().1.as_deref(), Some("the disk is full"));
    assert_eq!(fs::read(&path).unwrap(), before);
    let mut names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".one.more.part", "one"]);
}

/// Devices and pipes are written directly, and never replaced.
#[cfg(unix)]
#[test]
fn devices_and_links_stay_what_they_are() {
    let folder = Folder::new("links");
    let (file, link, device) = (folder.0.join("file"), folder.0.join("link"), folder.0.join("device"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    std::os::unix::fs::symlink("/dev/full", &device).unwrap();
    let fill = |text: &'static [u8]| move |mut file: &File| io::Write::write_all(&mut file, text);
    fs::write(&file, "old").unwrap();
    write_whole(&link, &mut fill(b"new")).unwrap();
    assert_eq!((fs::read(&file).unwrap(), fs::read(&link).unwrap()), (b"new".to_vec(), b"new".to_vec()));
    assert!(link.is_symlink());
    assert_eq!(probe(&device).map_err(|e| e.kind()), Ok(()));
    let full = write_whole(&device, &mut fill(b"new")).unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    assert!(device.is_symlink());
}

#[test]
fn a_probe_tries_and_leaves_nothing() {
    let folder = Folder::new("probe");
    let file = folder.0.join("file");
    assert!(probe(&file).is_ok() && !file.exists());
    fs::write(&file, "old").unwrap();
    assert!(probe(&file).is_ok());
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    for bad in [&folder.0, &file.join("below"), &folder.0.join("no/such"), Path::new("")] {
        assert!(probe(bad).is_err(), "{}", bad.display());
    }
}
