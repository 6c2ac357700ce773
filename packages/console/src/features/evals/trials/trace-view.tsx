import {
  eventDetail,
  readAround,
  readEventsDropped,
  readExcludedTools,
  readSteps,
  readToolsHash,
  readTraceEvents,
  readTraceSpans,
  readTraceTurns,
  type StageResultRow,
  type TraceEvent,
  type TraceStep,
} from '@proofmark/domain';
import type { TrialCheck } from '@proofmark/report';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { RawJson } from '../../../kit/contents/raw-json.tsx';
import { durationWords } from '../../../kit/duration-words.ts';
import { ExcludedTools } from '../../../kit/excluded-tools.tsx';
import { PictureButton, type SeenAfterStep } from '../../widgets/index.ts';
import type { EvalTrace } from '../data/eval-runs.ts';
import { Conversation } from './conversation.tsx';
import { readConversation } from './read-conversation.ts';
import { readServerRequests, type ServerRequest, samplingTokens } from './read-server-requests.ts';
import { evidenceToShow } from './stage-evidence.ts';
import { spanNamed, Timeline } from './timeline.tsx';

export function TraceView(props: {
  trace: EvalTrace;
  stages: readonly StageResultRow[];
  checks?: readonly TrialCheck[];
  /** The list of calls stored with the trial, which contains server names. */
  calls?: readonly unknown[];
  /** Whether the page already shows expected and observed calls. */
  isExplained?: boolean;
  /** The project on whose servers the calls can be repeated. */
  projectId?: string;
  /** The trial's widgets as a user would have seen them. */
  widgets?: ReactNode;
  seen?: ReadonlyMap<string, SeenAfterStep>;
  /** Renders the offered tools. `hash` identifies their list. */
  offered?: (hash: string) => ReactNode;
}) {
  const { trace, stages, offered, checks = [] } = props;
  const { hash } = useLocation();
  // Scrolls to the element named in the page's address, which exists only after the trace is
  // loaded. Without such an element, scrolls to the evidence of the failure.
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
  const excluded = readExcludedTools(trace['excludedTools']);
  return (
    <>
      {conversation.length + turns.length + checks.length > 0 && (
        <Conversation
          stages={stages}
          checks={checks}
          evidence={evidence}
          projectId={props.projectId}
          turns={conversation}
          isShownAbove={props.isExplained ?? false}
          traceTurns={turns}
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
      {excluded.length > 0 && (
        <section aria-labelledby="excluded-tools">
          <h2 id="excluded-tools">Excluded tools</h2>
          <ExcludedTools tools={excluded} />
        </section>
      )}
      {toolsHash !== undefined && offered?.(toolsHash)}
      <section aria-label="The trace as it was recorded">
        <RawJson title="The whole trace (JSON)" value={trace} />
      </section>
    </>
  );
}

/**
 * Messages that servers sent during the trial, with their time. Responses to requests are not
 * included.
 */
function ServerEvents(props: { events: readonly TraceEvent[]; dropped: number }) {
  const { events, dropped } = props;
  return (
    <section aria-labelledby="server-events">
      <h2 id="server-events">Said by servers</h2>
      <table className="server-events">
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Server</th>
            <th scope="col">Kind</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ atMs, serverName, kind, text, data }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events are known by their index.
            <tr key={index}>
              <th scope="row">{durationWords(atMs)}</th>
              <td data-label="Server">
                <bdi>{serverName}</bdi>
              </td>
              <td data-label="Kind" className="unbroken">
                {kind}
                {eventDetail(kind, data)}
              </td>
              <td data-label="Text" className="foreign-text">
                {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {dropped > 0 && (
        <p className="hint">{`${dropped.toLocaleString('en-US')} more came after these and were not kept.`}</p>
      )}
    </section>
  );
}

function ServerRequests(props: { requests: readonly ServerRequest[]; tokens: number | undefined }) {
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
            <RawJson title="Request (JSON)" value={request} />
            <RawJson title="Answer (JSON)" value={answer} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function TraceSteps(props: {
  steps: readonly TraceStep[];
  seen?: ReadonlyMap<string, SeenAfterStep>;
}) {
  const { steps, seen = new Map<string, SeenAfterStep>() } = props;
  const hasDetails = steps.some(({ detail }) => detail !== undefined);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Kind</th>
            <th scope="col">Status</th>
            {hasDetails && <th scope="col">Text</th>}
            {seen.size > 0 && <th scope="col">Picture</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ id, kind, status, detail }) => (
            <tr key={`${kind} ${id}`}>
              <th scope="row" className="code">
                {id}
              </th>
              <td data-label="Kind">{kind}</td>
              <td data-label="Status">
                <b className={`tone-${tones[status] ?? 'none'}`}>{status}</b>
              </td>
              {hasDetails && (
                <td data-label="Text" className="foreign-text">
                  {detail ?? ''}
                </td>
              )}
              {seen.size > 0 && <SeenCell seen={seen.get(id)} />}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SeenCell({ seen }: { seen: SeenAfterStep | undefined }) {
  return <td data-label="Picture">{seen !== undefined && <PictureButton {...seen} />}</td>;
}

const tones: Readonly<Record<string, string>> = {
  passed: 'pass',
  ok: 'pass',
  failed: 'fail',
  fail: 'fail',
};
