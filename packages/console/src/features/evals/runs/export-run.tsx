import { readPages } from '@proofmark/client';
import type { EvalRun } from '@proofmark/contract';
import type { DecisionFormat } from '@proofmark/report';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../kit/data/client.ts';
import { Modal } from '../../../kit/modal.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { isExplainedByTools, runSurfaceQuery } from '../data/surfaces.ts';

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

const trialsOfPage = 200;
/** Maximum number of pages to read, as in the CLI. */
const mostPages = 50;

/** The code that writes the formats is loaded only on demand. */
function useRunFile(ids: RunIds, run: EvalRun, suiteName: string | undefined) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (format: DecisionFormat) => {
      const read = (result: 'passed' | 'notPassed') =>
        readPages(
          (page) => client.listEvalRunIterations({ ...ids, limit: trialsOfPage, result, ...page }),
          mostPages,
        );
      const { projectId, suiteId } = run;
      const [writer, { items, isAll }, passed, surface, quarantine] = await Promise.all([
        import('./write-decision.ts'),
        read('notPassed'),
        format === 'junit' ? read('passed') : undefined,
        isExplainedByTools(run) ? cache.fetchQuery(runSurfaceQuery(ids, run)) : null,
        client.listEvalQuarantine({ projectId, suiteId }),
      ]);
      return writer.writeDecisionFile(
        format,
        run,
        { items, isAll },
        {
          suiteName,
          surface: surface ?? undefined,
          passed: passed?.items,
          entries: quarantine.items,
        },
      );
    },
  });
}
