import { expect, test } from 'vitest';
import { checkPartModels } from './check-part-models.ts';

const builtIn = {
  insightsModel: 'proofmark/narrator-1',
  agentModel: 'proofmark/lexical-agent-1',
  generationModel: 'proofmark/drafter-1',
};
const offer = { hosted: [{ id: 'local/big', provider: 'local' }], providers: ['local'] };

test.each([
  {},
  { agentModel: 'off', insightsModel: 'off' },
  { agentModel: 'local/big', insightsModel: 'local/big', generationModel: 'local/big' },
])('a part asks what is built in or hosted: %j', (changed) => {
  expect(() => checkPartModels({ ...builtIn, ...changed }, offer)).not.toThrow();
});

test.each([
  { agentModel: 'local/small' },
  { generationModel: 'off' },
  { generationModel: 'proofmark/lexical-agent-1' },
  { insightsModel: '' },
])('anything else stops the start: %j', (changed) => {
  expect(() => checkPartModels({ ...builtIn, ...changed }, offer)).toThrow(/none of/);
});
