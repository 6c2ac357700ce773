import type { Operations } from '../../platform/operations/action.ts';
import type { EvalsParts } from '../evals/index.ts';
import { archiveJourney } from './operations/archive-journey.ts';
import { archiveSwarm } from './operations/archive-swarm.ts';
import { cancelJourneyRun } from './operations/cancel-journey-run.ts';
import { cancelWaveInsights } from './operations/cancel-wave-insights.ts';
import { compareWaves } from './operations/compare-waves.ts';
import { createEvalCaseFromSession } from './operations/create-eval-case-from-session.ts';
import { createJourney } from './operations/create-journey.ts';
import { createPersona } from './operations/create-persona.ts';
import { createSwarm } from './operations/create-swarm.ts';
import { deletePersona } from './operations/delete-persona.ts';
import { dismissSwarmFinding, undismissSwarmFinding } from './operations/dismiss-swarm-finding.ts';
import { estimateJourneyRun } from './operations/estimate-journey-run.ts';
import { generateJourneys } from './operations/generate-journeys.ts';
import { generatePersonas } from './operations/generate-personas.ts';
import { getJourney } from './operations/get-journey.ts';
import { getJourneyRun } from './operations/get-journey-run.ts';
import { getJourneyRunScorecard } from './operations/get-journey-run-scorecard.ts';
import { getJourneyRunSessionTrace } from './operations/get-journey-run-session-trace.ts';
import { getPersona } from './operations/get-persona.ts';
import { getSwarm } from './operations/get-swarm.ts';
import { getSwarmOverview } from './operations/get-swarm-overview.ts';
import { getWave } from './operations/get-wave.ts';
import { getWaveInsights } from './operations/get-wave-insights.ts';
import { launchJourneyRun } from './operations/launch-journey-run.ts';
import { listJourneyRunSessions } from './operations/list-journey-run-sessions.ts';
import { listJourneyRuns } from './operations/list-journey-runs.ts';
import { listJourneys } from './operations/list-journeys.ts';
import { listPersonas } from './operations/list-personas.ts';
import { listSwarmFindings } from './operations/list-swarm-findings.ts';
import { listSwarms } from './operations/list-swarms.ts';
import { requestWaveInsights } from './operations/request-wave-insights.ts';
import { updateJourney } from './operations/update-journey.ts';
import { updatePersona } from './operations/update-persona.ts';
import { updateSwarm } from './operations/update-swarm.ts';

export const swarmsOperations = {
  archiveJourney,
  archiveSwarm,
  cancelJourneyRun,
  cancelWaveInsights,
  compareWaves,
  createEvalCaseFromSession,
  createJourney,
  createPersona,
  createSwarm,
  deletePersona,
  dismissSwarmFinding,
  estimateJourneyRun,
  generateJourneys,
  generatePersonas,
  getJourney,
  getJourneyRun,
  getJourneyRunScorecard,
  getJourneyRunSessionTrace,
  getPersona,
  getSwarm,
  getSwarmOverview,
  getWave,
  getWaveInsights,
  launchJourneyRun,
  listJourneyRunSessions,
  listJourneyRuns,
  listJourneys,
  listPersonas,
  listSwarmFindings,
  listSwarms,
  requestWaveInsights,
  undismissSwarmFinding,
  updateJourney,
  updatePersona,
  updateSwarm,
} satisfies Operations<EvalsParts>;
