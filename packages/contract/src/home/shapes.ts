import {
  doctorChecks,
  doctorStatuses,
  stageReasons,
  stages,
  summaryVerdicts,
} from '@proofmark/domain';
import * as z from 'zod';
import { runStatuses } from '../eval-runs/shapes.ts';
import { Id, Instant } from '../fields.ts';

const Count = z.number().int().min(0);
const place = { projectId: Id, projectName: z.string() };

export const HomeRun = z
  .object({
    ...place,
    runId: Id,
    runNumber: z.number().int(),
    suiteId: Id,
    suiteName: z.string(),
    status: z.enum(runStatuses),
    verdict: z.enum(summaryVerdicts),
    waived: z.boolean().meta({ description: 'Whether a waiver is in force for the run.' }),
    sentence: z.string().meta({ description: 'The verdict in one sentence.' }),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    done: Count.meta({ description: 'The number of trials that have ended.' }),
    expected: Count.nullable().meta({ description: 'null if the number of trials is not known.' }),
  })
  .meta({ id: 'HomeRun' });

export const HomeTrial = z
  .object({
    trialId: Id,
    title: z.string().nullable(),
    status: z.string(),
    stage: z.enum(stages).nullable().meta({ description: 'The first stage that failed.' }),
    reason: z.enum(stageReasons).nullable(),
  })
  .meta({ id: 'HomeTrial', description: 'The first trial of a run that did not pass.' });

export const HomeFindings = z
  .object({ ...place, ofSwarms: Count, ofVisitors: Count })
  .meta({ id: 'HomeFindings', description: 'Open findings of a project, without dismissed ones.' });

export const HomeSchedule = z
  .object({ ...place, suiteId: Id, suiteName: z.string(), nextRunAt: Instant })
  .meta({ id: 'HomeSchedule', description: 'A suite with a schedule.' });

const decided = { ...place, at: Instant };

export const HomeDecision = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('serverInTrouble'),
      ...decided,
      serverId: Id,
      serverName: z.string(),
      status: z.enum(doctorStatuses),
      failedCheck: z.enum(doctorChecks).nullable(),
    }),
    z.object({
      kind: z.literal('scheduleRefused'),
      ...decided,
      suiteId: Id,
      suiteName: z.string(),
      message: z.string(),
    }),
    z.object({
      kind: z.literal('waiverEnding'),
      ...decided,
      run: HomeRun,
      reason: z.string(),
      createdByEmail: z.string(),
    }),
    z.object({
      kind: z.literal('runUndecided'),
      ...decided,
      run: HomeRun,
      next: z.string().nullable().meta({ description: 'The next step for this decision.' }),
    }),
  ])
  .meta({
    id: 'HomeDecision',
    description: 'at is the time of the event, or for a waiver the time at which it ends.',
  });

export const Home = z
  .object({
    firstStart: z.boolean().meta({
      description:
        'True if the installation contains only the sample; the next step is to save a server.',
    }),
    running: z.object({ total: Count, items: z.array(HomeRun) }),
    failing: z
      .object({
        total: Count,
        items: z.array(HomeRun.extend({ first: HomeTrial.nullable() })),
      })
      .meta({ description: 'Suites whose latest run failed, without a waiver in force.' }),
    waived: Count.meta({ description: 'Suites whose latest run failed and is waived.' }),
    decisions: z.object({ total: Count, items: z.array(HomeDecision) }),
    findings: z.object({ total: Count, items: z.array(HomeFindings) }).meta({
      description: 'Open findings of swarms and of visitors, by project; total counts findings.',
    }),
    schedules: z.object({ total: Count, items: z.array(HomeSchedule) }).meta({
      description: 'The next scheduled runs, the earliest first.',
    }),
    latest: z.object({ total: Count, items: z.array(HomeRun) }).meta({
      description: 'The latest ended run of each suite, newest first.',
    }),
  })
  .meta({ id: 'Home' });
export type Home = z.infer<typeof Home>;
