import type { Home } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { InstantText } from '../../kit/instant-text.tsx';
import { decisionWords, moreWords } from './home-words.ts';

type Decision = Home['decisions']['items'][number];

export function DecisionList({ decisions }: { decisions: Home['decisions'] }) {
  if (decisions.total === 0) return null;
  return (
    <section aria-labelledby="home-decisions">
      <h2 id="home-decisions">Pending decisions</h2>
      <ol className="home-list">
        {decisions.items.map((decision) => (
          <DecisionRow key={keyOf(decision)} decision={decision} />
        ))}
      </ol>
      {moreWords(decisions) !== undefined && <p className="hint">{moreWords(decisions)}</p>}
    </section>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { word, sentence } = decisionWords(decision);
  return (
    <li data-decision={decision.kind}>
      <span className="home-sign sign-hold" aria-hidden="true">
        !
      </span>
      <div>
        <p className="home-line">
          <span>
            <b className="tone-hold">{word}</b> <AboutLink decision={decision} />
          </span>
          <span className="hint">
            <bdi>{decision.projectName}</bdi>
            {decision.kind === 'waiverEnding' ? ' · ends ' : ' · '}
            <InstantText atMs={decision.at} />
          </span>
        </p>
        <p className="foreign-text">{sentence.charAt(0).toUpperCase() + sentence.slice(1)}</p>
        <p className="home-why">{nextOf(decision)}</p>
      </div>
    </li>
  );
}

function AboutLink({ decision }: { decision: Decision }) {
  const { projectId } = decision;
  switch (decision.kind) {
    case 'serverInTrouble':
      return (
        <Link
          to="/projects/$projectId/servers/$serverId"
          params={{ projectId, serverId: decision.serverId }}
          search={{ section: 'doctor' }}
        >
          <bdi>{decision.serverName}</bdi>
        </Link>
      );
    case 'scheduleRefused':
      return (
        <Link
          to="/projects/$projectId/suites/$suiteId"
          params={{ projectId, suiteId: decision.suiteId }}
        >
          <bdi>{decision.suiteName}</bdi>
        </Link>
      );
    case 'waiverEnding':
    case 'runUndecided':
      return (
        <Link
          to="/projects/$projectId/runs/$runId"
          params={{ projectId, runId: decision.run.runId }}
        >
          <bdi>{decision.run.suiteName}</bdi>
          {`, run ${decision.run.runNumber}`}
        </Link>
      );
  }
}

function nextOf(decision: Decision): ReactNode {
  switch (decision.kind) {
    case 'serverInTrouble':
      return (
        <>
          <b>Next:</b>{' '}
          {decision.status === 'oauth_required'
            ? 'store tokens for it, as its page says, or switch the server off.'
            : 'run the doctor again after it is repaired, or switch the server off.'}
        </>
      );
    case 'scheduleRefused':
      return (
        <>
          <b>Next:</b> correct the problem that the page of the suite shows, or switch the schedule
          off.
        </>
      );
    case 'waiverEnding':
      return (
        <>
          Waived by <bdi>{decision.createdByEmail}</bdi>: “<bdi>{decision.reason}</bdi>”{' '}
          <b>Next:</b> run it again, or waive it anew.
        </>
      );
    case 'runUndecided':
      return (
        <>
          <b>Next:</b> {decision.next ?? 'run it again.'}
        </>
      );
  }
}

function keyOf(decision: Decision): string {
  switch (decision.kind) {
    case 'serverInTrouble':
      return decision.serverId;
    case 'scheduleRefused':
      return decision.suiteId;
    case 'waiverEnding':
    case 'runUndecided':
      return decision.run.runId;
  }
}
