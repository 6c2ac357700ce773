/** A trace: what was asked, called and answered, and how long each part took. */
import {
  readAround,
  readEventsDropped,
  readSteps,
  readToolsHash,
  readTraceEvents,
  readTraceSpans,
  readTraceTurns,
  type StageResultRow,
  type TrialCheck,
} from '@proofmark/domain';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { RawJson } from '../../../kit/contents/raw-json.tsx';
import type { SeenAfterStep } from '../../widgets/index.ts';
import type { EvalTrace } from '../data/eval-runs.ts';
import { Conversation } from './conversation.tsx';
import { readConversation } from './read-conversation.ts';
import { readServerRequests, samplingTokens } from './read-server-requests.ts';
import { ServerEvents } from './server-events.tsx';
import { ServerRequests } from './server-requests.tsx';
import { evidenceToShow } from './stage-evidence.ts';
import { spanNamed, Timeline } from './timeline.tsx';
import { TraceSteps } from './trace-steps.tsx';

export function TraceView(props: {
  trace: EvalTrace;
  stages: readonly StageResultRow[];
  checks?: readonly TrialCheck[];
  /** The calls as the trial lists them, which know their servers. */
  calls?: readonly unknown[];
  /** Whether the page says above what was expected beside what was done. */
  isExplained?: boolean;
  /** Whose calls can be made again. */
  projectId?: string;
  /** What was seen of widgets. */
  widgets?: ReactNode;
  /** Pictures of widgets, by step. */
  seen?: ReadonlyMap<string, SeenAfterStep>;
  /** The tools that were offered, by the hash of their list. */
  offered?: (hash: string) => ReactNode;
}) {
  const { trace, stages, offered, checks = [] } = props;
  const { hash } = useLocation();
  // The part an address names is there only now that the trace has been read. Without one, what failed is shown.
  useEffect(() => {
    const named = hash === '' || hash.startsWith('stage-') ? null : document.getElementById(hash);
    if (named !== null) named.scrollIntoView({ block: 'center' });
    else document.querySelector('.evidence')?.scrollIntoView({ block: 'nearest' });
  }, [hash]);
  const steps = [
    ...readAround(trace['before'], 'before'),
    ...readSteps(trace['steps']),
    ...readAround(trace['after'], 'after'),
  ];
  const turns = readTraceTurns(trace.prompts);
  const spans = readTraceSpans(trace.spans);
  const { messages } = trace;
  const conversation = readConversation({ messages, spans: trace.spans, calls: props.calls ?? [] });
  const evidence = evidenceToShow(stages, hash);
  const named = spanNamed(hash);
  const toolsHash = readToolsHash(trace['toolSurface']);
  const requests = readServerRequests(trace['serverRequests']);
  const events = readTraceEvents(trace['events']);
  return (
    <>
      {conversation.length + turns.length + checks.length > 0 && (
        <Conversation
          {...{ stages, checks, evidence, projectId: props.projectId }}
          turns={conversation}
          isToldAbove={props.isExplained ?? false}
          told={turns}
        />
      )}
      {steps.length > 0 && <TraceSteps steps={steps} {...(props.seen && { seen: props.seen })} />}
      {props.widgets}
      {spans.length > 0 && (
        <Timeline
          spans={spans}
          marked={named === undefined ? (evidence?.spanIds ?? []) : [named]}
        />
      )}
      {requests.length > 0 && (
        <ServerRequests requests={requests} tokens={samplingTokens(trace['samplingUsage'])} />
      )}
      {events.length > 0 && (
        <ServerEvents events={events} dropped={readEventsDropped(trace['eventsDropped'])} />
      )}
      {toolsHash !== undefined && offered?.(toolsHash)}
      <section aria-label="The trace as it was recorded">
        <RawJson title="The whole trace (JSON)" value={trace} />
      </section>
    </>
  );
}
