/** Saves the decision of the run as a file, as the command writes it. */
import type { EvalRun } from '@proofmark/contract';
import { useState } from 'react';
import { Modal } from '../../../kit/modal.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { useRunFile } from '../data/run-decision.ts';

const formats = [
  ['html', 'HTML', 'One file to read and to send; it needs nothing else.'],
  ['markdown', 'Markdown', 'For a pull request or an issue.'],
  ['junit', 'JUnit XML', 'For a CI system that shows test reports.'],
  ['json', 'JSON', 'The decision summary as the API has it.'],
] as const;

export function ExportRun(props: { ids: RunIds; run: EvalRun; suiteName: string | undefined }) {
  const [isAsking, setIsAsking] = useState(false);
  const file = useRunFile(props.ids, props.run, props.suiteName);
  const close = () => {
    setIsAsking(false);
    file.reset();
  };
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        Export…
      </button>
      {isAsking && (
        <Modal title="Export this run" onClose={close}>
          <p className="hint">The decision with every trial that did not pass.</p>
          <ul className="export-formats">
            {formats.map(([format, name, about]) => (
              <li key={format}>
                <button
                  type="button"
                  disabled={file.isPending}
                  onClick={() =>
                    file.mutate(format, {
                      onSuccess: ({ content, name: fileName }) => {
                        saveFile(content, fileName);
                        close();
                      },
                    })
                  }
                >
                  {name}
                </button>
                <span className="hint">{about}</span>
              </li>
            ))}
          </ul>
          <div role="alert">
            {file.error !== null && <p className="form-problem">{file.error.message}</p>}
          </div>
          <div className="actions">
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}
