/** One button that makes a case of a conversation: asked for is only into which suite. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEvalSuites } from '../../data/eval-suites.ts';
import { type ChatIds, useCaseOfChat } from '../../data/playground.ts';
import type { ChatAnswer } from '../../playground/chat-messages.ts';
import { Field } from '../field.tsx';
import { Form } from '../form.tsx';
import { Modal } from '../modal.tsx';
import { QueryView } from '../query-view.tsx';

export function ChatCase({ ids, lanes }: { ids: ChatIds; lanes: readonly ChatAnswer[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" disabled={lanes.length === 0} onClick={() => setOpen(true)}>
        Make a case
      </button>
      {isOpen && (
        <Modal title="Make a case of this conversation" onClose={() => setOpen(false)}>
          <MakeChatCase ids={ids} lanes={lanes} onClose={() => setOpen(false)} />
        </Modal>
      )}
    </>
  );
}

function MakeChatCase(props: { ids: ChatIds; lanes: readonly ChatAnswer[]; onClose: () => void }) {
  const { ids, lanes, onClose } = props;
  const { projectId } = ids;
  const [chosen, setChosen] = useState('');
  const [lane, setLane] = useState<0 | 1>(lanes[0]?.lane ?? 0);
  const make = useCaseOfChat(ids);
  const close = (
    <button type="button" onClick={onClose}>
      {make.data ? 'Done' : 'Cancel'}
    </button>
  );
  return (
    <>
      <p className="hint">
        What you said becomes its prompts. Each call that worked is expected again, with the same
        arguments, so the case passes as this conversation went.
      </p>
      <QueryView query={useEvalSuites(projectId)}>
        {(suites) => {
          const suiteId = chosen || (suites[0]?.id ?? '');
          if (suiteId === '') {
            return (
              <>
                <p>
                  There is no suite yet.{' '}
                  <Link
                    to="/projects/$projectId"
                    params={{ projectId }}
                    search={{ section: 'evals' }}
                  >
                    Create one first
                  </Link>
                  .
                </p>
                <div className="actions">{close}</div>
              </>
            );
          }
          if (make.data) {
            return (
              <>
                <p role="status">
                  Case {make.data.title} created.{' '}
                  <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
                    Open the suite
                  </Link>
                </p>
                <div className="actions">{close}</div>
              </>
            );
          }
          return (
            <Form
              label="Make a case of this conversation"
              problem={make.error?.message}
              attempt={make.error}
              onSubmit={() => make.mutate({ suiteId, lane })}
              buttons={
                <>
                  <button type="submit" className="primary" disabled={make.isPending}>
                    Create case
                  </button>
                  {close}
                </>
              }
            >
              <Field label="Suite">
                {(control) => (
                  <select
                    {...control}
                    value={suiteId}
                    onChange={(event) => setChosen(event.target.value)}
                  >
                    {suites.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              {lanes.length > 1 && (
                <Field label="As it was answered by">
                  {(control) => (
                    <select
                      {...control}
                      value={lane}
                      onChange={(event) => setLane(event.target.value === '1' ? 1 : 0)}
                    >
                      {lanes.map((one) => (
                        <option key={one.lane} value={one.lane}>
                          {one.lane === 0 ? 'the left' : 'the right'}, {one.modelId}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              )}
            </Form>
          );
        }}
      </QueryView>
    </>
  );
}
