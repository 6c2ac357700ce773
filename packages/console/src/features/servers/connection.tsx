/** The first thing on the page: how the server was when it was examined last, and a first word with it. */
import type { ProjectServer } from '@proofmark/contract';
import { serverHealthSentence } from '@proofmark/domain';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { CallFailure } from './call-failure.tsx';
import { useValidate } from './data/server-calls.ts';
import { ServerHealthSign } from './server-health.tsx';
import { ServerSent } from './server-sent.tsx';

export function Connection({ ids, server }: { ids: ServerIds; server: ProjectServer }) {
  const call = useValidate(ids);
  return (
    <section aria-label="Connection" className="connection">
      <div className="connection-line panel">
        <p role="status">
          {call.isPending ? (
            'Connecting…'
          ) : call.data !== undefined ? (
            <>
              <b className="tone-pass">Connected.</b> The server answered as MCP asks.
            </>
          ) : (
            <LastExamined server={server} />
          )}
        </p>
        <button type="button" disabled={call.isPending} onClick={() => call.start()}>
          Connect
        </button>
      </div>
      {call.error !== null && <CallFailure error={call.error} ids={ids} />}
      {call.data?.initInfo && (
        <details>
          <summary className="unfold-title">What the server says about itself</summary>
          <ServerSent initInfo={call.data.initInfo} />
        </details>
      )}
    </section>
  );
}

function LastExamined({ server }: { server: ProjectServer }) {
  const { health, url } = server;
  if (health === undefined) {
    return (
      <>
        Not examined yet{url === null ? '' : ': '}
        {url !== null && <span className="code">{url}</span>}
      </>
    );
  }
  return (
    <>
      <ServerHealthSign health={health} />, examined <InstantText atMs={health.checkedAt} />
      {health.status !== 'ready' && <>: it {serverHealthSentence(health)}</>}
    </>
  );
}
