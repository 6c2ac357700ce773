/**
 * The conversation of a trial, turn by turn. Each call is shown with its result, and each turn with
 * its checks. Evidence for the failed stage is marked.
 */
import type { StageResultRow, TraceTurn } from '@proofmark/domain';
import { type TrialCheck, type TurnWords, turnMarks, turnWords } from '@proofmark/report';
import { LongText } from '../../../kit/contents/long-text.tsx';
import { ExpectedObserved } from '../runs/expected-observed.tsx';
import { CallBlock } from './call-block.tsx';
import type { CallEntry, ConversationEntry, ConversationTurn } from './read-conversation.ts';
import { isEvidentCall, isEvidentTurn, type ShownEvidence } from './stage-evidence.ts';
import { TurnChecks } from './turn-checks.tsx';

export interface ConversationProps {
  readonly projectId: string | undefined;
  readonly turns: readonly ConversationTurn[];
  readonly traceTurns: readonly TraceTurn[];
  /** The stage results of the trial. The text of a turn must not contradict them. */
  readonly stages: readonly StageResultRow[];
  readonly checks: readonly TrialCheck[];
  readonly evidence: ShownEvidence | undefined;
  /**
   * Whether the page already shows the trial's expected calls above. In a trial with one turn they
   * are the turn's expected calls too, so they are not repeated.
   */
  readonly isShownAbove: boolean;
}

export function Conversation(props: ConversationProps) {
  return (
    <section aria-labelledby="conversation">
      <h2 id="conversation">Conversation</h2>
      <Turns {...props} />
    </section>
  );
}

/** The turns without a heading, for a page that shows two conversations side by side. */
export function Turns(
  props: ConversationProps & {
    /** Path of the trial's page for links. Absent if the current page is that page. */
    readonly trialPath?: string;
    /** The first entry that differs from the conversation beside this one. */
    readonly marked?: { readonly turn: number; readonly entry: number } | undefined;
  },
) {
  const { turns, traceTurns, stages, checks } = props;
  const last = Math.max(turns.at(-1)?.index ?? -1, traceTurns.length - 1);
  const ofWhole = checks.filter(({ turn }) => turn === undefined || turn > last + 1);
  return (
    <>
      {Array.from({ length: last + 1 }, (_, index) => (
        <Turn
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are known by their index.
          key={index}
          index={index}
          evidence={props.evidence}
          projectId={props.projectId}
          trialPath={props.trialPath}
          isShownAbove={props.isShownAbove && last === 0}
          marked={props.marked?.turn === index ? props.marked.entry : undefined}
          entries={turns.filter((turn) => turn.index === index).flatMap(({ entries }) => entries)}
          traceTurn={traceTurns[index]}
          words={traceTurns[index] && turnWords(traceTurns[index], index, stages)}
          checks={checks.filter(({ turn }) => turn === index + 1)}
        />
      ))}
      {ofWhole.length > 0 && (
        <div className="panel whole-checks">
          <TurnChecks title="Checks of the whole case" checks={ofWhole} evidence={props.evidence} />
        </div>
      )}
    </>
  );
}

function Turn(props: {
  projectId: string | undefined;
  trialPath: string | undefined;
  index: number;
  entries: readonly ConversationEntry[];
  traceTurn: TraceTurn | undefined;
  words: TurnWords | undefined;
  checks: readonly TrialCheck[];
  evidence: ShownEvidence | undefined;
  isShownAbove: boolean;
  /** The index of the entry that differs first from another conversation. */
  marked: number | undefined;
}) {
  const { projectId, trialPath, index, entries, traceTurn, words, checks, evidence } = props;
  const Heading = trialPath === undefined ? 'h3' : 'h5';
  const calls = entries.filter((entry): entry is CallEntry => entry.kind === 'call');
  const spans = calls.map(({ spanId }) => spanId);
  const isEvident = isEvidentTurn(evidence, index, spans);
  const isPromptShown = entries.some((entry) => entry.kind === 'said' && entry.role === 'user');
  return (
    <article
      id={trialPath === undefined ? `turn-${index + 1}` : undefined}
      className={isEvident ? 'panel turn evidence' : 'panel turn'}
      data-checked={checks.length > 0}
    >
      <Heading>
        {`Turn ${index + 1}`}
        {words !== undefined && (
          <span className={`turn-result tone-${words.tone}`}>{words.text}</span>
        )}
        {isEvident && <EvidenceTag stage={evidence?.stage} />}
      </Heading>
      <div className="turn-body">
        <ol className="messages">
          {!isPromptShown && traceTurn?.prompt !== undefined && (
            <li data-role="user">
              <b className="message-role">user</b>
              <LongText plain text={traceTurn.prompt} />
            </li>
          )}
          {entries.map((entry, at) => (
            <Entry
              // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its order.
              key={at}
              entry={entry}
              evidence={evidence}
              projectId={projectId}
              trialPath={trialPath}
              isMarked={at === props.marked}
            />
          ))}
          {entries.length === 0 && traceTurn?.prompt === undefined && (
            <li>
              <span className="hint">Nothing was recorded of this turn.</span>
            </li>
          )}
        </ol>
        {checks.length > 0 && (
          <TurnChecks title="Checks of this turn" checks={checks} evidence={evidence} />
        )}
      </div>
      {traceTurn !== undefined &&
        !props.isShownAbove &&
        (words?.tone === 'fail' || traceTurn.reason) && (
          <ExpectedObserved
            expected={traceTurn.expected}
            observed={traceTurn.actual}
            failure={traceTurn.reason}
            marks={turnMarks(words, traceTurn.passed)}
          />
        )}
    </article>
  );
}

function Entry(props: {
  entry: ConversationEntry;
  evidence: ShownEvidence | undefined;
  projectId: string | undefined;
  trialPath: string | undefined;
  isMarked: boolean;
}) {
  const { entry, evidence, isMarked } = props;
  const tag = isMarked && <span className="evidence-tag">first difference</span>;
  if (entry.kind === 'call') {
    const isEvident = isEvidentCall(evidence, entry);
    return (
      <li data-role="call" className={isEvident || isMarked ? 'evidence' : undefined}>
        <b className="message-role">call</b>
        <div>
          {isEvident && <EvidenceTag stage={evidence?.stage} />}
          {tag}
          <CallBlock call={entry} projectId={props.projectId} trialPath={props.trialPath} />
        </div>
      </li>
    );
  }
  return (
    <li data-role={entry.role} className={isMarked ? 'evidence' : undefined}>
      <b className="message-role">{entry.role}</b>
      {tag}
      <LongText plain={entry.kind === 'said'} text={entry.text} />
    </li>
  );
}

function EvidenceTag({ stage }: { stage: string | undefined }) {
  return <span className="evidence-tag">{`evidence of ${wordOf(stage)}`}</span>;
}

function wordOf(stage: string | undefined): string {
  return stage === 'userValue' ? 'user value' : (stage ?? 'the stage');
}
