import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ApprovalCard } from './approval-card.tsx';
import { Composer } from './composer.tsx';
import { EndedView } from './ended-view.tsx';
import { goneWords, type Limit } from './refusal-meaning.ts';
import { TurnList } from './turn-list.tsx';
import { openCall } from './turn-view.ts';
import { untilWords } from './until-words.ts';
import type { Visit } from './visit.ts';
import type { RedeemedLink } from './visit-calls.ts';
import { stateName, type VisitState } from './visit-state.ts';

export function VisitPage({ visit }: { visit: Visit }) {
  const state = useSyncExternalStore(visit.store.watch, visit.store.state);
  const name = stateName(state);
  const { link, turns, problem } = state;
  const mayGoOn = name === 'chatting' || name === 'approval' || name === 'limit';
  useTitle(link?.title);
  const end = useFollowedEnd(state, name);
  const last = turns.at(-1);
  const asked = last && openCall(last);
  return (
    <div className="visit">
      <Head visit={visit} state={state} mayEnd={mayGoOn && turns.length > 0} />
      <main data-state={name}>
        {name === 'resolving' && <Resolving visit={visit} problem={problem} />}
        {link && name === 'notice' && <NoticeView visit={visit} link={link} busy={state.isBusy} />}
        {link && mayGoOn && turns.length === 0 && (
          <Welcome link={link} mayBegin={name === 'chatting'} />
        )}
        {name !== 'notice' && turns.length > 0 && (
          <TurnList visit={visit} state={state} mayRate={mayGoOn || name === 'ended'} />
        )}
        {mayGoOn && last && asked && (
          <ApprovalCard
            key={asked.approval?.approvalId}
            title="May this assistant use a tool?"
            call={asked}
            onDecide={(decision) => void visit.decide(last, decision)}
          />
        )}
        {name === 'closed' && <ClosedView state={state} />}
        {name === 'ended' && <EndedView visit={visit} state={state} />}
        <div ref={end} />
      </main>
      <div className="visit-foot">
        {state.limit && name === 'limit' && (
          <LimitNotice visit={visit} limit={state.limit} mayOpen={link === undefined} />
        )}
        {problem !== undefined && name !== 'resolving' && (
          <p role="alert" className="form-problem">
            {problem}
          </p>
        )}
        {link && mayGoOn && <Composer visit={visit} state={state} name={name} />}
        {name !== 'resolving' && <EraseButtons visit={visit} state={state} />}
      </div>
    </div>
  );
}

function Head(props: { visit: Visit; state: VisitState; mayEnd: boolean }) {
  const { link, isPreview } = props.state;
  return (
    <header className="visit-head">
      <div>
        <h1>
          <bdi>{link?.title ?? 'Assistant'}</bdi>
        </h1>
        {link && (
          <p className="hint">
            Answered by <bdi>{link.modelLabel}</bdi>
            {isPreview && '. Preview: counted nowhere'}
          </p>
        )}
      </div>
      {props.mayEnd && (
        <button
          type="button"
          className="small"
          disabled={props.state.isBusy}
          onClick={() => void props.visit.end()}
        >
          End
        </button>
      )}
    </header>
  );
}

function Resolving({ visit, problem }: { visit: Visit; problem: string | undefined }) {
  if (problem === undefined) return <p role="status">Opening this link…</p>;
  return (
    <div role="alert">
      <p>{problem}</p>
      <button type="button" onClick={() => void visit.open()}>
        Try again
      </button>
    </div>
  );
}

function Welcome(props: { link: NonNullable<VisitState['link']>; mayBegin: boolean }) {
  const { link, mayBegin } = props;
  const text = link.welcome ?? link.description;
  return (
    <div className="visit-words">
      {text !== null && text !== '' && <p className="as-written">{text}</p>}
      {mayBegin && <p className="hint">Write a message to begin.</p>}
    </div>
  );
}

function ClosedView({ state }: { state: VisitState }) {
  const { closed, ended, unsent } = state;
  if (closed === undefined) return null;
  return (
    <section role="alert" className="visit-words closed">
      <h2>{closed.title}</h2>
      <p>{closed.text}</p>
      {closed.maySignIn && (
        <p>
          <a href="/sign-in">Sign in</a>, then open the link again.
        </p>
      )}
      {unsent !== undefined && (
        <>
          <p className="hint">This was not sent:</p>
          <p className="as-written">{unsent}</p>
        </>
      )}
      {ended === 'erased' && <p>Your conversation was deleted.</p>}
      {ended === 'gone' && <p>Your conversation was not found. {goneWords}</p>}
    </section>
  );
}

function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}

/** Keeps the end of the conversation in view, unless the user has scrolled up. */
function useFollowedEnd({ turns, problem, limit }: VisitState, name: string) {
  const end = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      wasAtEnd.current = window.innerHeight + window.scrollY > scrollHeight - 120;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is shown moves the end.
  useEffect(() => {
    if (wasAtEnd.current) end.current?.scrollIntoView({ block: 'end' });
  }, [turns, problem, limit, name]);
  return end;
}

function LimitNotice(props: { visit: Visit; limit: Limit; mayOpen: boolean }) {
  const { visit, limit, mayOpen } = props;
  return (
    <div role="status" className="warning">
      {limit.text}
      {limit.endsAt !== undefined &&
        ` It takes messages again ${untilWords(limit.endsAt, Date.now(), 'at')}.`}
      {mayOpen && (
        <div className="actions">
          <button type="button" onClick={() => void visit.open()}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

function NoticeView(props: { visit: Visit; link: RedeemedLink; busy: boolean }) {
  const { description, welcome, notice, servers, requireToolApproval } = props.link;
  return (
    <section className="visit-words" aria-labelledby="before">
      {description !== null && description !== '' && <p className="as-written">{description}</p>}
      {welcome !== null && welcome !== '' && <p className="as-written">{welcome}</p>}
      <h2 id="before">Before you begin</h2>
      {notice.text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {servers.length > 0 && (
        <p>
          This assistant can use tools of{' '}
          {servers.map(({ name }, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
          . {requireToolApproval ? 'You are asked before each use.' : 'Each use is shown to you.'}
        </p>
      )}
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={props.busy}
          onClick={() => void props.visit.accept()}
        >
          Accept
        </button>
      </div>
    </section>
  );
}

function EraseButtons({ visit, state }: { visit: Visit; state: VisitState }) {
  const { sessionId, earlier, turns } = state;
  const others = earlier.length === 1 ? 'an earlier conversation' : 'earlier conversations';
  return (
    <p className="erase hint">
      {sessionId !== undefined && turns.length > 0 && (
        <AskedTwice
          action="Delete this conversation"
          disabled={state.isBusy}
          onConfirm={() => void visit.erase()}
        />
      )}
      {earlier.length > 0 && (
        <AskedTwice
          action={`Delete ${others} (${earlier.length})`}
          disabled={state.isBusy}
          onConfirm={() => void visit.eraseEarlier()}
        />
      )}
    </p>
  );
}

function AskedTwice(props: { action: string; disabled: boolean; onConfirm: () => void }) {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <button type="button" className="keys" onClick={() => setAsked(true)}>
        {props.action}
      </button>
    );
  }
  return (
    <span className="asked-twice">
      It cannot be brought back.{' '}
      <button
        type="button"
        className="small danger"
        disabled={props.disabled}
        onClick={() => {
          setAsked(false);
          props.onConfirm();
        }}
      >
        Delete
      </button>{' '}
      <button type="button" className="small" onClick={() => setAsked(false)}>
        Keep
      </button>
    </span>
  );
}
