/** What servers asked of the client during the trial, and what they were answered. */

import { RawJson } from '../../../kit/contents/raw-json.tsx';
import type { ServerRequest } from './read-server-requests.ts';

export function ServerRequests(props: {
  requests: readonly ServerRequest[];
  tokens: number | undefined;
}) {
  const { requests, tokens } = props;
  return (
    <section aria-labelledby="server-requests">
      <h2 id="server-requests">Asked by servers</h2>
      {tokens !== undefined && (
        <p className="hint">
          Answers of the model took {tokens.toLocaleString('en-US')} tokens, which are not among
          those of the trial.
        </p>
      )}
      <ol>
        {requests.map(({ method, toolName, request, answer, withheld }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: requests are known by their index.
          <li key={index}>
            <p>
              <code>{method}</code>
              {toolName !== undefined && (
                <>
                  {' by '}
                  <code>{toolName}</code>
                </>
              )}
            </p>
            {withheld !== undefined && <p className="hint">{withheld}</p>}
            <RawJson title="What was asked (JSON)" value={request} />
            <RawJson title="What was answered (JSON)" value={answer} />
          </li>
        ))}
      </ol>
    </section>
  );
}
