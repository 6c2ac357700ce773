/**
 * The scorer secret signs requests to own scorers (HTTP programs of the organization that score
 * trials). It is shown only once, after its creation.
 */
import { useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { CopyText } from '../../kit/copy-text.tsx';
import { useChange, useOperation } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { Modal } from '../../kit/modal.tsx';
import { QueryView } from '../../kit/query-view.tsx';

export function ScorerSecret({ projectId }: { projectId: string }) {
  const state = useOperation('getScorerSecret', { projectId });
  const [making, setMaking] = useState(false);
  return (
    <div className="panel">
      <h3>Scorer secret</h3>
      <p className="hint">
        Requests to own scorers are signed with it, so that they can tell ours from others.
      </p>
      <QueryView query={state}>
        {({ madeAt }) => (
          <>
            <p>
              {madeAt === null ? (
                'There is none yet, so suites with an own scorer cannot be run.'
              ) : (
                <>
                  Made <InstantText atMs={madeAt} />.
                </>
              )}
            </p>
            <button type="button" onClick={() => setMaking(true)}>
              {madeAt === null ? 'Make a secret' : 'Make another secret'}
            </button>
            {making && (
              <MakeSecret
                projectId={projectId}
                isFirst={madeAt === null}
                onClose={() => setMaking(false)}
              />
            )}
          </>
        )}
      </QueryView>
    </div>
  );
}

function MakeSecret(props: { projectId: string; isFirst: boolean; onClose: () => void }) {
  const rotate = useChange('rotateScorerSecret', { projectId: props.projectId }, { gcTime: 0 });
  // Whether no secret existed when the dialog was opened. The prop changes as soon as a secret is
  // created.
  const [isFirst] = useState(props.isFirst);
  if (rotate.data !== undefined) {
    return (
      <Modal key="made" title="Your new scorer secret" stay onClose={props.onClose}>
        <p className="warning">Copy it now. It cannot be shown again.</p>
        <CopyText text={rotate.data.secret} label="Copy secret" />
        <div className="actions">
          <button type="button" className="primary" onClick={props.onClose}>
            Done
          </button>
        </div>
      </Modal>
    );
  }
  return (
    <Confirm
      title={isFirst ? 'Make a scorer secret?' : 'Make another scorer secret?'}
      action={isFirst ? 'Make secret' : 'Make another secret'}
      isHarmless={isFirst}
      busy={rotate.isPending}
      error={rotate.error}
      onClose={props.onClose}
      onConfirm={() => rotate.mutate()}
    >
      <p>
        {isFirst
          ? 'It is shown once. Give it to the scorers of this project.'
          : 'The one in use signs nothing any more, in runs under way neither: their scorers refuse until they know the new one.'}
      </p>
    </Confirm>
  );
}
