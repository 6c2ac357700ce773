/** Tools that the model was offered, by server, as listed when the trial began. */
import { ApiError } from '@proofmark/client';
import { useState } from 'react';
import { LongText } from '../../../kit/contents/long-text.tsx';
import { RawJson } from '../../../kit/contents/raw-json.tsx';
import { readOnce, useOperation } from '../../../kit/data/operations.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import type { OfferedServer, RunIds } from '../data/eval-runs.ts';

const shownAtOnce = 100;

export function OfferedTools(props: { hash: string; ids: RunIds; trialId: string }) {
  const [open, setOpen] = useState(false);
  const tools = useOperation(
    'getEvalIterationTools',
    { ...props.ids, iterationId: props.trialId },
    { enabled: open, ...readOnce },
  );
  const isWithout =
    tools.error instanceof ApiError && tools.error.details['reason'] === 'TOOLS_NOT_AVAILABLE';
  return (
    <section aria-labelledby="offered-tools">
      <details
        className="offered"
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <h2 id="offered-tools">Tools offered to the model</h2>
        </summary>
        {open && (
          <>
            <p className="hint">
              As the servers listed them when the trial began. Trials with the hash{' '}
              <code>{props.hash}</code> saw the same lists.
            </p>
            {isWithout ? (
              <p>The list was not kept.</p>
            ) : (
              <QueryView query={tools}>
                {({ servers, overlay }) => (
                  <>
                    {overlay !== undefined && (
                      <>
                        <p className="warning">
                          The model was shown this overlay in the place of what stands in it.
                        </p>
                        <RawJson title="Overlay" value={overlay} />
                      </>
                    )}
                    {servers.map((server) => (
                      <ServerTools key={server.serverId} server={server} />
                    ))}
                  </>
                )}
              </QueryView>
            )}
          </>
        )}
      </details>
    </section>
  );
}

function ServerTools({ server }: { server: OfferedServer }) {
  const { serverId, serverName, tools } = server;
  const [shownCount, setShownCount] = useState(shownAtOnce);
  const hidden = new Set(server.hiddenToolNames);
  return (
    <>
      <h3>
        <bdi>{serverName ?? serverId}</bdi>{' '}
        <span className="hint">{tools.length === 1 ? '1 tool' : `${tools.length} tools`}</span>
      </h3>
      {tools.length > 0 && (
        <ul className="offered-tools">
          {tools.slice(0, shownCount).map((tool, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a server may name two tools alike.
            <li key={index} className="offered-tool">
              <div>
                <code>{tool.name}</code>{' '}
                {hidden.has(tool.name) && <span className="tag">hidden from the model</span>}
              </div>
              <div>
                {tool.description === undefined ? (
                  <p className="hint">The server does not describe it.</p>
                ) : (
                  <LongText plain text={String(tool.description)} />
                )}
                <RawJson title="Input schema (JSON)" value={tool.inputSchema ?? {}} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {tools.length > shownCount && (
        <button
          type="button"
          className="small"
          onClick={() => setShownCount(shownCount + shownAtOnce)}
        >
          Show more ({tools.length - shownCount} not shown)
        </button>
      )}
    </>
  );
}
