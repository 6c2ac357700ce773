/**
 * An error reported by the tool is still a successful call. The answer is then marked as the
 * server's error.
 */
import type { OutputOf } from '@proofmark/contract';
import { readContentBlock } from '../../kit/contents/content-block.ts';
import { ContentBlocks } from '../../kit/contents/content-blocks.tsx';
import { LongText } from '../../kit/contents/long-text.tsx';
import { RawJson } from '../../kit/contents/raw-json.tsx';
import { durationWords } from '../../kit/duration-words.ts';

type Result = OutputOf<'callTool'>;

export function CallResult({ result }: { result: Result }) {
  const { content, structuredContent, isError, outputCheck, durationMs } = result;
  return (
    <>
      <p role="status" className="answer-line">
        {isError ? (
          <>
            <b className="tone-fail">The tool reports an error</b> after {durationWords(durationMs)}
            . This is the server’s own answer (isError).
          </>
        ) : (
          <>
            <b className="tone-pass">The tool answered</b> in {durationWords(durationMs)}.
          </>
        )}
      </p>
      {content.length === 0 ? (
        <p className="hint">It sent no content.</p>
      ) : (
        <ContentBlocks blocks={content.map(readContentBlock)} />
      )}
      {structuredContent !== undefined && (
        <>
          <p className="block-kind">structured content</p>
          <LongText text={JSON.stringify(structuredContent, null, 2)} />
        </>
      )}
      {outputCheck !== undefined && <OutputCheck check={outputCheck} />}
      <RawJson title="Raw result (JSON)" value={result} />
    </>
  );
}

function OutputCheck({ check }: { check: NonNullable<Result['outputCheck']> }) {
  const { tone, sentence } = checkWords[check.state];
  return (
    <p className="output-check">
      <b className={`tone-${tone}`}>{sentence}</b>
      {check.message !== undefined && ` ${check.message}`}
    </p>
  );
}

const checkWords = {
  valid: { tone: 'pass', sentence: 'The structured content fits the tool’s output schema.' },
  invalid: { tone: 'fail', sentence: 'The structured content breaks the tool’s output schema.' },
  notValidated: {
    tone: 'hold',
    sentence: 'The structured content was not checked against the output schema.',
  },
} as const;
