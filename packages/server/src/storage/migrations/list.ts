import { identity } from './0001-identity.ts';
import { catalog } from './0002-catalog.ts';
import { evalRuns } from './0003-eval-runs.ts';
import { oauthGrants } from './0004-oauth-grants.ts';
import { manyAtOnce } from './0005-many-at-once.ts';
import { clients } from './0006-clients.ts';
import { environments } from './0007-environments.ts';
import { runningEvals } from './0008-running-evals.ts';
import { runToolSurfaces } from './0009-run-tool-surfaces.ts';
import { caseTitles } from './0010-case-titles.ts';
import { oneWayToTrials } from './0011-one-way-to-trials.ts';
import { pinnedServers } from './0012-pinned-servers.ts';
import { trialsNotPassed } from './0013-trials-not-passed.ts';
import { reportedRuns } from './0014-reported-runs.ts';
import { listedTools } from './0015-listed-tools.ts';
import { scheduleAttempts } from './0016-schedule-attempts.ts';
import { leasedWork } from './0017-leased-work.ts';
import { judgements } from './0018-judgements.ts';
import { evaluationConfigs } from './0019-evaluation-configs.ts';
import { monthsOfTrials } from './0020-months-of-trials.ts';
import { epochOfData } from './0021-epoch-of-data.ts';

/** In order; a migration that has been released is never changed, only followed by another. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: 'identity', sql: identity },
  { name: 'catalog', sql: catalog },
  { name: 'eval-runs', sql: evalRuns },
  { name: 'oauth-grants', sql: oauthGrants },
  { name: 'many-at-once', sql: manyAtOnce },
  { name: 'clients', sql: clients },
  { name: 'environments', sql: environments },
  { name: 'running-evals', sql: runningEvals },
  { name: 'run-tool-surfaces', sql: runToolSurfaces },
  { name: 'case-titles', sql: caseTitles },
  { name: 'one-way-to-trials', sql: oneWayToTrials },
  { name: 'pinned-servers', sql: pinnedServers },
  { name: 'trials-not-passed', sql: trialsNotPassed },
  { name: 'reported-runs', sql: reportedRuns },
  { name: 'listed-tools', sql: listedTools },
  { name: 'schedule-attempts', sql: scheduleAttempts },
  { name: 'leased-work', sql: leasedWork },
  { name: 'judgements', sql: judgements },
  { name: 'evaluation-configs', sql: evaluationConfigs },
  { name: 'months-of-trials', sql: monthsOfTrials },
  { name: 'epoch-of-data', sql: epochOfData },
];
