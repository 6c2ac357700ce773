import type { Home } from '@proofmark/contract';
import {
  isWaiverEnding,
  orderDecisions,
  type Page,
  standingOfRun,
  summaryOfRun,
} from '@proofmark/domain';
import { type RunSentence, runSentence } from '@proofmark/report';
import {
  presentRun,
  presentTrial,
  type StoredRun,
  type StoredTrial,
  type StoredWaiver,
} from '../../evals/index.ts';
import type {
  LatestOfSuite,
  NextSchedule,
  OpenFindings,
  RefusedSchedule,
  RunGoingOn,
  ServerInTrouble,
} from '../store/home-runs.ts';

export interface ReadRun {
  readonly run: StoredRun;
  readonly waiver: StoredWaiver | undefined;
  readonly suiteName: string;
}

export interface ReadHome {
  readonly latest: readonly LatestOfSuite[];
  readonly open: readonly RunGoingOn[];
  readonly schedules: readonly RefusedSchedule[];
  readonly servers: readonly ServerInTrouble[];
  readonly findings: readonly OpenFindings[];
  readonly due: readonly NextSchedule[];
  readonly runs: ReadonlyMap<string, ReadRun>;
  /** For each failed run, by run id: the first of its trials that did not pass. */
  readonly trials: ReadonlyMap<string, Page<StoredTrial>>;
  readonly projectNames: ReadonlyMap<string, string>;
}

type HomeRun = Home['latest']['items'][number];
type Decision = Home['decisions']['items'][number];

export function presentHome(
  read: ReadHome,
  { isFirst, shown }: { readonly isFirst: boolean; readonly shown: number },
  nowMs: number,
): Home {
  const presented = new Map<string, PresentedRun>();
  for (const [runId, one] of read.runs) {
    presented.set(runId, presentHomeRun(one, read.projectNames, read.trials.get(runId)));
  }
  const latest = read.latest.flatMap((row) => {
    const one = presented.get(row.runId);
    return one === undefined ? [] : [{ ...row, ...one, standing: standingOf(one.item) }];
  });
  const failing = latest.filter(({ standing }) => standing === 'failing');
  const decisions = orderDecisions<Decision>([
    ...read.servers.map((row) => ofServer(row, read.projectNames)),
    ...read.schedules.map((row) => ofSchedule(row, read.projectNames)),
    ...latest.flatMap((one) => ofWaiver(one, read.runs.get(one.runId)?.waiver, nowMs)),
    ...latest.filter(({ standing }) => standing === 'undecided').map(ofUndecided),
  ]);
  const totalOf = (standing: LatestOfSuite['standing']) =>
    read.latest.find((row) => row.standing === standing)?.standingTotal ?? 0;
  const totalDecisions =
    (read.servers[0]?.total ?? 0) +
    (read.schedules[0]?.total ?? 0) +
    totalOf('ending') +
    totalOf('undecided');
  const running = read.open.flatMap(({ runId }) => presented.get(runId)?.item ?? []);
  const newest = latest.filter(({ isNew }) => isNew).map(({ item }) => item);
  return {
    firstStart: isFirst,
    running: { total: Math.max(read.open[0]?.total ?? 0, running.length), items: running },
    failing: {
      total: Math.max(totalOf('failing'), failing.length),
      items: failing.slice(0, shown).map(({ item, first }) => ({ ...item, first })),
    },
    waived: totalOf('ending') + totalOf('waived'),
    decisions: {
      total: Math.max(totalDecisions, decisions.length),
      items: decisions.slice(0, shown),
    },
    findings: {
      total: read.findings[0]?.total ?? 0,
      items: read.findings.map(({ projectId, ofSwarms, ofVisitors }) => ({
        projectId,
        projectName: read.projectNames.get(projectId) ?? '',
        ofSwarms,
        ofVisitors,
      })),
    },
    schedules: {
      total: read.due[0]?.total ?? 0,
      items: read.due.map(({ projectId, suiteId, suiteName, nextAt }) => ({
        projectId,
        projectName: read.projectNames.get(projectId) ?? '',
        suiteId,
        suiteName,
        nextRunAt: nextAt.getTime(),
      })),
    },
    latest: { total: read.latest[0]?.total ?? 0, items: newest },
  };
}

interface PresentedRun extends Pick<RunSentence, 'first' | 'next'> {
  readonly item: HomeRun;
}

function presentHomeRun(
  { run, waiver, suiteName }: ReadRun,
  projectNames: ReadHome['projectNames'],
  trials: Page<StoredTrial> | undefined,
): PresentedRun {
  const notPassed = trials && {
    items: trials.items.map((trial) => presentTrial(trial)),
    isAll: trials.next === undefined,
  };
  const summary = summaryOfRun(presentRun(run, waiver), notPassed);
  const { sentence, first, next } = runSentence(summary);
  return {
    item: {
      projectId: run.projectId,
      projectName: projectNames.get(run.projectId) ?? '',
      runId: run.id,
      runNumber: run.runNumber,
      suiteId: run.suiteId,
      suiteName,
      status: run.status,
      verdict: summary.verdict,
      waived: waiver !== undefined,
      sentence,
      createdAt: run.createdAt.getTime(),
      completedAt: run.completedAt?.getTime() ?? null,
      done: run.iterationCount,
      expected: run.expectedIterations,
    },
    first,
    next,
  };
}

function standingOf({ verdict, status, waived }: HomeRun) {
  return standingOfRun({ verdict, status, isWaived: waived });
}

function ofServer(row: ServerInTrouble, projectNames: ReadHome['projectNames']): Decision {
  const { projectId, serverId, serverName, status, failedCheck, at } = row;
  const projectName = projectNames.get(projectId) ?? '';
  const place = { projectId, projectName, at: at.getTime() };
  return { kind: 'serverInTrouble', ...place, serverId, serverName, status, failedCheck };
}

function ofSchedule(row: RefusedSchedule, projectNames: ReadHome['projectNames']): Decision {
  const { projectId, suiteId, suiteName, message, at } = row;
  const projectName = projectNames.get(projectId) ?? '';
  const place = { projectId, projectName, at: at.getTime() };
  return { kind: 'scheduleRefused', ...place, suiteId, suiteName, message };
}

function ofWaiver(
  { item: run, standing }: { readonly item: HomeRun; readonly standing: string },
  waiver: StoredWaiver | undefined,
  nowMs: number,
): Decision[] {
  if (standing !== 'waived' || waiver === undefined) return [];
  const at = waiver.expiresAt.getTime();
  if (!isWaiverEnding(at, nowMs)) return [];
  const { projectId, projectName } = run;
  const { reason, createdByEmail } = waiver;
  return [{ kind: 'waiverEnding', projectId, projectName, at, run, reason, createdByEmail }];
}

function ofUndecided({ item: run, next }: PresentedRun): Decision {
  const { projectId, projectName } = run;
  const at = run.completedAt ?? run.createdAt;
  return { kind: 'runUndecided', projectId, projectName, at, run, next };
}
