import { describe, expect, test } from 'vitest';
import { type GatedRow, projectCapabilities, type Standing } from './capabilities.ts';

const rows: Readonly<Record<string, GatedRow>> = {
  listSwarms: { tier: 'member', effect: 'reads' },
  listScenarios: { tier: 'member', effect: 'reads' },
  createSwarm: { tier: 'member', effect: 'writes', feature: 'swarms' },
  launchJourneyRun: { tier: 'member', effect: 'runs', feature: 'swarms' },
  cancelJourneyRun: { tier: 'member', effect: 'runs' },
  publishScenario: { tier: 'admin', effect: 'writes', feature: 'user-testing' },
  unpublishScenario: { tier: 'admin', effect: 'writes' },
  updateUserTestingScenario: { tier: 'manage', effect: 'writes', feature: 'user-testing' },
  setGuestExecution: { tier: 'admin', effect: 'writes', feature: 'user-testing' },
  requestEvalRunInsights: { tier: 'member', effect: 'writes' },
  getEvalRun: { tier: 'member', effect: 'reads' },
  createEvalSuite: { tier: 'member', effect: 'writes' },
  createEvalRun: { tier: 'member', effect: 'runs' },
  deleteEvalSuite: { tier: 'member', effect: 'writes' },
  deleteEvalRun: { tier: 'member', effect: 'writes' },
  getEvalIterationTrace: { tier: 'member', effect: 'reads' },
};

function promised(standing: Partial<Standing>, offered = rows): string[] {
  const can = projectCapabilities(
    { tier: 'admin', scope: 'full', features: [], insightsAreOff: false, ...standing },
    (operationId) => offered[operationId],
  );
  return Object.entries(can).flatMap(([name, may]) => (may ? [name] : []));
}

const all = ['swarms', 'user-testing'] as const;
const evals = ['readEvals', 'writeEvalSuites', 'launchEvalRun'];
const deletes = ['deleteAnyEvalSuite', 'deleteAnyEvalRun'];

describe('capabilities', () => {
  test('an admin with everything on may everything', () => {
    expect(promised({ features: all })).toHaveLength(16);
  });

  test('a feature that is off leaves only the ways back', () => {
    expect(promised({})).toEqual([
      ...['cancelJourneyRun', 'unpublishUserTestingScenario', 'requestInsights'],
      ...[...evals, ...deletes, 'exportEvalTraces'],
    ]);
    expect(promised({ features: ['swarms'] })).toContain('writeSwarms');
    expect(promised({ features: ['swarms'] })).not.toContain('publishUserTestingScenario');
  });

  test('what the service has no operation for is never promised, whatever is switched on', () => {
    expect(promised({ features: all }, {})).toEqual([]);
  });

  test.each([
    ['read-only', ['readSwarms', 'readUserTesting', 'readEvals', 'exportEvalTraces']],
    [
      'run-only',
      ['readSwarms', 'readUserTesting', 'launchJourneyRun', 'cancelJourneyRun', 'readEvals'].concat(
        ['launchEvalRun', 'exportEvalTraces'],
      ),
    ],
  ] as const)('a %s key is promised no more than its scope', (scope, expected) => {
    expect(promised({ features: all, scope })).toEqual(expected);
  });

  test('publishing needs the admin tier, exposure the manage tier', () => {
    const manage = promised({ features: all, tier: 'manage' });
    expect(manage).not.toContain('publishUserTestingScenario');
    expect(manage).toContain('changeUserTestingExposure');
    expect(promised({ features: all, tier: 'member' })).not.toContain('changeUserTestingExposure');
  });

  test('deleting what others made needs the manage tier', () => {
    expect(promised({ tier: 'manage' })).toEqual(expect.arrayContaining(deletes));
    expect(promised({ tier: 'member' })).not.toEqual(expect.arrayContaining(deletes.slice(0, 1)));
  });

  test('insights that are switched off are promised to nobody', () => {
    expect(promised({ insightsAreOff: true })).not.toContain('requestInsights');
  });
});
