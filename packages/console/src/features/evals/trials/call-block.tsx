import { taskWords } from '@proofmark/report';
import { readContentBlock } from '../../../kit/contents/content-block.ts';
import { ContentBlocks } from '../../../kit/contents/content-blocks.tsx';
import { LongText } from '../../../kit/contents/long-text.tsx';
import { durationWords } from '../../../kit/duration-words.ts';
import { callCommands } from './as-commands.ts';
import { CommandChoice } from './command-choice.tsx';
import type { CallEntry, CallOutcome } from './read-conversation.ts';
import { spanAnchor } from './timeline.tsx';

export function CallBlock(props: {
  call: CallEntry;
  projectId: string | undefined;
  /**
   * Path of the trial's page for the link to the call's span. Absent if the current page is that
   * page.
   */
  trialPath?: string | undefined;
}) {
  const { call, projectId, trialPath = '' } = props;
  const { name, input, serverName, serverId, spanId, tookMs, result } = call;
  const taskLine = taskWords(call.task);
  const { origin } = window.location;
  const commands =
    projectId === undefined
      ? undefined
      : callCommands({ origin, projectId, serverId, serverName, toolName: name, input });
  return (
    <>
      <p className="call-head">
        <code>{name}</code>
        {serverName !== undefined && (
          <span className="hint">
            of <bdi>{serverName}</bdi>
          </span>
        )}
        {tookMs !== undefined && (
          <span className="hint">
            {spanId === undefined ? (
              durationWords(tookMs)
            ) : (
              <a href={`${trialPath}#${spanAnchor(spanId)}`}>{durationWords(tookMs)}</a>
            )}
          </span>
        )}
      </p>
      <LongText text={textOf(input)} />
      {taskLine !== undefined && <p className="hint">{taskLine}</p>}
      <p className="call-head">
        {result === undefined ? (
          <span className="hint">nothing came back</span>
        ) : (
          <>
            <span className="hint">came back</span>
            {result.isError && <b className="tone-fail">as an error</b>}
          </>
        )}
      </p>
      {result !== undefined && <Outcome result={result} />}
      {commands !== undefined && <CommandChoice title="Make this call again" {...commands} />}
    </>
  );
}

function Outcome({ result }: { result: CallOutcome }) {
  if (result.blocks === undefined) return <LongText text={textOf(result.value)} />;
  if (result.blocks.length === 0) return <p className="hint">It sent no content.</p>;
  return <ContentBlocks blocks={result.blocks.map(readContentBlock)} />;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
