/** A server that the reader cannot change, and why. */

import type { ProjectServer } from '@proofmark/contract';
import { FactList } from '../../kit/fact-list.tsx';
import { storedCredentials } from './credential-words.ts';

export function ServerFacts({ server, why }: { server: ProjectServer; why: string }) {
  const stored = storedCredentials(server);
  const facts = [
    ['Transport', server.transportType === 'http' ? 'HTTP' : 'stdio'],
    ['Address', server.url ?? 'from the operator’s configuration'],
    ['Enabled', server.enabled ? 'yes' : 'no'],
    ['Timeout', server.timeout === null ? 'the default' : `${server.timeout} ms`],
    [
      'Largest message',
      server.maxMessageMiB === null ? 'the default' : `${server.maxMessageMiB} MiB`,
    ],
    ['OAuth', server.useOAuth ? 'yes' : 'no'],
    ['Stored credentials', stored.length === 0 ? 'none' : stored.join(', ')],
  ] as const;
  return (
    <>
      <p className="intro">{why}</p>
      <FactList facts={facts} />
    </>
  );
}
