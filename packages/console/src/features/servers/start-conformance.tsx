/** Starts the official conformance suite against a server, and opens the page of its run. */
import { conformanceRevisions } from '@proofmark/domain';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { allBelow } from '../../kit/data/address-key.ts';
import { useChange } from '../../kit/data/operations.ts';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { conformanceBody } from './conformance-body.ts';

export function StartConformance({ ids }: { ids: ServerIds }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Conformance…
      </button>
      {isOpen && <ConformanceDialog ids={ids} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ConformanceDialog({ ids, onClose }: { ids: ServerIds; onClose: () => void }) {
  const navigate = useNavigate();
  const start = useChange('runServerConformance', ids, {
    readAgain: [allBelow('listEvalSuites', { projectId: ids.projectId })],
  });
  const [spec, setSpec] = useState('');
  const [expected, setExpected] = useState('');
  const [attempt, setAttempt] = useState(0);
  const { projectId } = ids;
  const begin = () => {
    setAttempt(attempt + 1);
    start.mutate(conformanceBody(spec, expected), {
      onSuccess: ({ runId }) =>
        void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId } }),
    });
  };
  return (
    <Modal title="Official conformance suite" onClose={onClose}>
      <p className="hint">
        Plays the scenarios of the suite of MCP against this server, one after another. Many need
        the tools, prompts and resources of the suite’s own example.
      </p>
      <Form
        label="Official conformance suite"
        problem={start.error?.message}
        attempt={attempt}
        onSubmit={begin}
        buttons={
          <>
            <button type="submit" className="primary" disabled={start.isPending}>
              {start.isPending ? 'Starting…' : 'Run the suite'}
            </button>
            <button type="button" onClick={onClose}>
              Close
            </button>
          </>
        }
      >
        <Field label="Revision" hint="Of the protocol.">
          {(control) => (
            <select {...control} value={spec} onChange={({ target }) => setSpec(target.value)}>
              <option value="">the newest that the server speaks</option>
              {conformanceRevisions.map((revision) => (
                <option key={revision} value={revision}>
                  {revision}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Expected failures"
          hint="One on each line: scenario, or scenario:check-id. They pass, and stale ones fail."
        >
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={expected}
              onChange={({ target }) => setExpected(target.value)}
            />
          )}
        </Field>
      </Form>
    </Modal>
  );
}
