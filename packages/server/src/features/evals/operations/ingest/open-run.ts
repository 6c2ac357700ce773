/**
 * Opens the run of a report: the suite's existing run with this externalRunId, or a new one. The
 * first lookup takes no lock: if many processes report one run, most of them find it already
 * stored.
 */

import type { BodyOf } from '@proofmark/contract';
import {
  canonicalJson,
  type DeclaredTrials,
  declaredTrials,
  invalid,
  otherRunRefusal,
  otherTermsRefusal,
  type RunSnapshot,
  reportedServers,
  resolveReportedTerms,
  resolveTerms,
  type SuiteSettings,
  storableOrNull,
  storableText,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse, refuseIf } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseFullStorage } from '../../../../platform/spending/enter-quota.ts';
import type { EvalsProject } from '../../evals-context.ts';
import { findRunByExternalId, readRun, type StoredRun } from '../../store/eval-runs.ts';
import { findSuiteToRun } from '../../store/eval-suites.ts';
import { insertReportedRun } from '../../store/record-runs.ts';
import { lockReportedSuite, suitesReportedAs } from '../../store/reported/reported-suites.ts';
import { hasEnded } from '../runs/present-run.ts';
import { refuseUnreadable } from '../suites/refuse-unreadable.ts';

export type RunBody = BodyOf<'startEvalIngestRun'> | BodyOf<'reportEvalRun'>;

export async function findStartedRun(
  sql: Sql,
  { project }: EvalsProject,
  body: RunBody,
): Promise<StoredRun | undefined> {
  if (body.externalRunId === undefined) return undefined;
  const suites = suitesReportedAs(sql, {
    projectId: project.id,
    name: storableText(body.suiteName.trim()),
  });
  const run = await findRunByExternalId(sql, suites, storableText(body.externalRunId));
  if (run === undefined) return undefined;
  refuseOtherEvaluation(run, body);
  refuseIf(otherTermsRefusal(run, body));
  if (hasEnded(run)) refuseIf(otherRunRefusal(run, body));
  return run;
}

export async function openRun(
  sql: Sql,
  context: EvalsProject,
  body: RunBody,
): Promise<{ run: StoredRun; reused: boolean }> {
  const started = await findStartedRun(sql, context, body);
  if (started !== undefined) return { run: started, reused: true };
  const { project } = context;
  // Storage is checked before any trial arrives, because the run's notes and host configuration
  // also use storage.
  await refuseFullStorage(sql, project, context.runLimits.quotas);
  const suite = await lockReportedSuite(sql, {
    organizationId: project.organizationId,
    projectId: project.id,
    name: storableText(body.suiteName.trim()),
    description: storableOrNull(body.suiteDescription),
    newId: () => context.newId('evalSuite'),
  });
  const startedMeanwhile = await findStartedRun(sql, context, body);
  if (startedMeanwhile !== undefined) return { run: startedMeanwhile, reused: true };
  const id = context.newId('evalRun');
  const snapshot = takeSnapshot(
    body,
    suite.isAuthored ? await readDeclared(sql, project.id, suite.id) : undefined,
  );
  await insertReportedRun(sql, {
    id,
    organizationId: project.organizationId,
    projectId: project.id,
    suiteId: suite.id,
    runNumber: suite.runCount + 1,
    verdictPolicyVersion: 'policy' in snapshot.terms ? 2 : null,
    snapshot,
    externalRunId: storableOrNull(body.externalRunId),
    evaluationConfigHash: storableOrNull(body.evaluationConfigHash),
    expectedIterations: body.expectedIterations ?? null,
    notes: storableOrNull(body.notes),
    framework: storableOrNull(body.framework),
    ci: body.ci ?? null,
    tags: (body.tags ?? []).map(storableText),
    createdBy: context.caller.account.id,
    timeoutMs: context.runLimits.reportTimeoutMs,
  });
  // Sends both statements at once, without waiting for the first result.
  const [run] = await Promise.all([
    readRun(sql, project.id, id, 'forUpdate'),
    recordAudit(sql, context, {
      action: 'evalRun.reported',
      subjectId: id,
      details: { suiteId: suite.id },
    }),
  ]);
  if (run === undefined)
    throw new Error('Internal fault: the run was created but could not be read back.');
  return { run, reused: false };
}

interface Declared {
  readonly settings: SuiteSettings;
  readonly trials: DeclaredTrials;
}

async function readDeclared(
  sql: Sql,
  projectId: string,
  suiteId: string,
): Promise<Declared | undefined> {
  const suite = await findSuiteToRun(sql, projectId, suiteId);
  if (suite === undefined) return undefined;
  refuseUnreadable(suite, suite.cases);
  const { settings } = suite.definition;
  return { settings, trials: declaredTrials(settings, suite.cases) };
}

function takeSnapshot(body: RunBody, declared: Declared | undefined): RunSnapshot {
  return {
    terms: resolveReportedTerms(body, declared?.settings),
    ...(declared !== undefined && {
      reportedTerms: resolveTerms(body),
      declared: declared.trials,
    }),
    servers: reportedServers(body),
    environment: null,
    toolSurface: null,
    ...hostConfigOf(body),
  };
}

function hostConfigOf({ hostConfig, hostConfigHash }: RunBody) {
  if (hostConfig === undefined || hostConfigHash === undefined) return {};
  const found = sha256Hex(canonicalJson(hostConfig));
  if (found !== hostConfigHash.toLowerCase()) {
    refuse(
      invalid(
        'body.hostConfigHash',
        `hostConfigHash is not the SHA-256 of the canonical JSON of hostConfig, which is ${found}.`,
      ),
    );
  }
  return { hostConfig, hostConfigHash: found };
}

function refuseOtherEvaluation(run: StoredRun, { evaluationConfigHash }: RunBody): void {
  if (evaluationConfigHash === undefined || evaluationConfigHash === run.evaluationConfigHash)
    return;
  refuse({
    code: 'CONFLICT',
    message:
      'The run with this externalRunId was started with a different evaluationConfigHash; send the first hash again, or use a new externalRunId.',
    details: { runId: run.id },
  });
}
