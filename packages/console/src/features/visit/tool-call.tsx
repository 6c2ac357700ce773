import { visitBounds } from '@proofmark/domain';
import { Scrolling } from '../../kit/scrolling.tsx';
import { shownJson } from './shown-json.ts';
import type { ToolPart } from './turn-view.ts';

export function ToolCall(props: { call: ToolPart; isOver: boolean; isOpen?: boolean }) {
  const { call, isOver, isOpen = false } = props;
  const { toolName, serverName, result } = call;
  if (call.arguments === undefined) {
    return (
      <p className="tool hint">
        Used <bdi className="code">{toolName}</bdi>
      </p>
    );
  }
  return (
    <details className="tool" open={isOpen}>
      <summary>
        <bdi className="code">{toolName}</bdi> of <bdi>{serverName}</bdi>
        <span className="hint"> · {outcomeOf(call, isOver)}</span>
      </summary>
      <div className="tool-inside">
        <p className="hint">Given</p>
        <Scrolling label="Given">{shownJson(call.arguments)}</Scrolling>
        {result && (
          <>
            <p className="hint">{result.isError ? 'It said, as an error' : 'It said'}</p>
            <Scrolling label="It said" className="tool-output">
              {result.text.slice(0, visitBounds.toolTextCharacters) || 'Nothing.'}
            </Scrolling>
            {result.omitted?.map((omitted) => (
              <p key={omitted} className="hint">
                {omitted}
              </p>
            ))}
          </>
        )}
      </div>
    </details>
  );
}

function outcomeOf({ approval, result }: ToolPart, isOver: boolean): string {
  if (approval?.decision === 'deny') return 'denied';
  if (result !== undefined) return result.isError ? 'failed' : 'done';
  if (isOver) return 'not done';
  if (approval !== undefined && approval.decision === undefined) return 'waits for you';
  return 'in use…';
}
