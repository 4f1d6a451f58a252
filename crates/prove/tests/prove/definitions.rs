//! Every definition of the repository, proved against itself.

use std::fs;
use std::path::Path;

use svcgen_messages::Service;
use svcgen_prove::Proof;

#[tokio::test]
async fn every_definition_is_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/definitions");
    let mut proved = 0;
    for folder in ["lab", "valid"].map(|name| folder.join(name)) {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            // Some definitions are included by others and have no service.
            let Ok(service) = Service::open(&file) else {
                continue;
            };
            let server =
                || service.endpoint(|request| async move { Ok(request.operation.sample_answer()) });
            let mut proof = Proof::new(service);
            proof.operations = service.operations().take(3).collect();
            proof.calls = 60;
            let found = proof.run(server(), server()).await.unwrap();
            assert_eq!(found.calls.len(), 60, "{}", file.display());
            assert!(
                found.findings.is_empty(),
                "{}: {:?}",
                file.display(),
                found.findings
            );
            let text = found
                .report()
                .to_text(svcgen_replay::Likeness::Identical, 20);
            assert!(
                !text.contains("cannot be sent"),
                "{}: {text}",
                file.display()
            );
            proved += 1;
        }
    }
    assert!(proved > 40, "{proved}");
}
