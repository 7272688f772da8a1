//! Threads that work together until all are done.

use crate::guard::on_new_thread;
use std::panic::resume_unwind;

/// What one of them does.
pub type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs each job on its own thread and `main` on this one. Returns when all are done; a panic of
/// one of them is then raised here.
pub fn together(jobs: Vec<Job>, main: &mut dyn FnMut()) {
    std::thread::scope(|scope| {
        let threads: Vec<_> = jobs.into_iter().map(|job| scope.spawn(on_new_thread(job))).collect();
        main();
        threads.into_iter().for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
    });
}
