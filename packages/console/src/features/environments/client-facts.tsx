/** A client that the reader cannot change, and why. */

import type { ClientDetail, ProjectServer } from '@proofmark/contract';
import { CopyText } from '../../kit/copy-text.tsx';
import { FactList } from '../../kit/fact-list.tsx';

export function ClientFacts(props: { client: ClientDetail; servers: readonly ProjectServer[] }) {
  const { config } = props.client;
  const names = (ids: readonly string[] = []) =>
    ids.map((id) => props.servers.find((server) => server.id === id)?.name ?? id).join(', ');
  const facts = [
    ['Model', config.modelId],
    ['System prompt', config.systemPrompt ?? 'not stated'],
    ['Required servers', names(config.serverIds) || 'none'],
    ['Optional servers', names(config.optionalServerIds) || 'none'],
  ] as const;
  return (
    <>
      <p className="intro">A manager of this project can change this client.</p>
      <FactList facts={facts} />
      <section aria-labelledby="config">
        <h2 id="config">Config as JSON</h2>
        <CopyText block text={JSON.stringify(config, null, 2)} label="Copy the config" />
      </section>
    </>
  );
}
