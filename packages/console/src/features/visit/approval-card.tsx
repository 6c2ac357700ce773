/**
 * Asks for approval before a tool is called. The card takes the focus, but a key press meant for
 * another element cannot approve or deny.
 */
import { useEffect, useId, useRef } from 'react';
import { Scrolling } from '../../kit/scrolling.tsx';
import { shownJson } from './shown-json.ts';
import type { ToolPart } from './turn-view.ts';
import { untilWords } from './until-words.ts';

export function ApprovalCard(props: {
  title: string;
  call: ToolPart;
  onDecide: (decision: 'approve' | 'deny') => void;
}) {
  const { call, onDecide } = props;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    card.current?.focus();
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={card} className="approval" tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      <dl className="approval-facts">
        <dt>Tool</dt>
        <dd>
          <bdi className="code">{call.toolName}</bdi>
        </dd>
        <dt>Server</dt>
        <dd>
          <bdi>{call.serverName}</bdi>
        </dd>
        <dt>Given</dt>
        <dd>
          <Scrolling label="Given">{shownJson(call.arguments ?? {})}</Scrolling>
        </dd>
      </dl>
      <div className="actions">
        <button type="button" className="primary" onClick={() => onDecide('approve')}>
          Approve
        </button>
        <button type="button" onClick={() => onDecide('deny')}>
          Deny
        </button>
        <span className="hint">
          It is not used unless you approve
          {call.approval && ` ${untilWords(call.approval.expiresAt, Date.now())}`}.
        </span>
      </div>
    </section>
  );
}
