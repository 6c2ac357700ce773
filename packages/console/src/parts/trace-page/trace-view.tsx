/** A trace: what was asked, called and answered, and how long each part took. */
import {
  readAround,
  readEventsDropped,
  readMessages,
  readSteps,
  readToolsHash,
  readTraceEvents,
  readTraceSpans,
  readTraceTurns,
  type StageResultRow,
} from '@proofmark/domain';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { EvalTrace } from '../../data/eval-runs.ts';
import { readServerRequests, samplingTokens } from '../../evals/read-server-requests.ts';
import { RawJson } from '../server-page/raw-json.tsx';
import { Messages } from './messages.tsx';
import { ServerEvents } from './server-events.tsx';
import { ServerRequests } from './server-requests.tsx';
import { Timeline } from './timeline.tsx';
import { TraceSteps } from './trace-steps.tsx';
import { TraceTurns } from './trace-turns.tsx';

export function TraceView(props: {
  trace: EvalTrace;
  stages: readonly StageResultRow[];
  /** The tools that were offered, by the hash of their list. */
  offered?: (hash: string) => ReactNode;
}) {
  const { trace, stages, offered } = props;
  const { hash } = useLocation();
  // The part an address names is there only now that the trace has been read.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'center' });
  }, [hash]);
  const steps = [
    ...readAround(trace['before'], 'before'),
    ...readSteps(trace['steps']),
    ...readAround(trace['after'], 'after'),
  ];
  const turns = readTraceTurns(trace.prompts);
  const spans = readTraceSpans(trace.spans);
  const messages = readMessages(trace.messages);
  const toolsHash = readToolsHash(trace['toolSurface']);
  const requests = readServerRequests(trace['serverRequests']);
  const events = readTraceEvents(trace['events']);
  return (
    <>
      {steps.length > 0 && <TraceSteps steps={steps} />}
      {turns.length > 0 && <TraceTurns turns={turns} stages={stages} />}
      {spans.length > 0 && <Timeline spans={spans} marked={hash.replace(/^span-/, '')} />}
      {messages.length > 0 && <Messages messages={messages} />}
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
