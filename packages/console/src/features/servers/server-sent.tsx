import type { OutputOf } from '@proofmark/contract';
import { LongText } from '../../kit/contents/long-text.tsx';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import { FactList } from '../../kit/fact-list.tsx';

type InitInfo = NonNullable<OutputOf<'validateServer'>['initInfo']>;

export function ServerSent(props: {
  initInfo: InitInfo;
  facts?: readonly (readonly [string, string])[];
}) {
  const { initInfo } = props;
  const capabilities = Object.keys(initInfo.serverCapabilities);
  const facts = [
    ['Server', serverWords(initInfo)],
    ['Protocol', initInfo.protocolVersion],
    ['Transport', transportWords[initInfo.transport]],
    ['Capabilities', capabilities.length === 0 ? 'none' : capabilities.join(', ').slice(0, 300)],
    ...(props.facts ?? []),
  ] as const;
  return (
    <>
      <FactList facts={facts} />
      <h3>First answer of the server</h3>
      {initInfo.instructions === undefined ? (
        <p className="hint">It sent no instructions.</p>
      ) : (
        <>
          <p className="hint">Its instructions to clients:</p>
          <LongText text={initInfo.instructions} />
        </>
      )}
      <RawJson title="Capabilities (JSON)" value={initInfo.serverCapabilities} />
      <RawJson title="Everything from the first exchange (JSON)" value={initInfo} />
    </>
  );
}

function serverWords({ serverVersion }: InitInfo): string {
  const { name, version, title } = serverVersion ?? {};
  const words = [title ?? name, version].filter((word) => typeof word === 'string');
  return words.length === 0 ? 'did not say its name' : words.join(' ').slice(0, 200);
}

const transportWords = {
  'streamable-http': 'Streamable HTTP',
  sse: 'SSE',
  stdio: 'stdio',
} as const;
