import { parseArgs } from 'node:util';
import type { SimulationOptions } from './simulate-gates.ts';
import { simulatedParts } from './simulated-row.ts';

const usage = `Usage: npm run simulate:gates -- [--only ${simulatedParts.join('|')}] [--runs N] [--seed S] [--json]`;

export function simulationArguments(
  args: readonly string[],
): (SimulationOptions & { readonly json: boolean }) | { readonly problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        runs: { type: 'string', default: '10000' },
        seed: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
      },
    });
    const only = simulatedParts.find((part) => part === values.only);
    const [runs, seed] = [Number(values.runs), Number(values.seed)];
    const isRead =
      (values.only === undefined || only !== undefined) &&
      Number.isSafeInteger(runs) &&
      runs > 0 &&
      Number.isSafeInteger(seed) &&
      seed >= 0 &&
      seed < 2 ** 32;
    return isRead ? { only, runs, seed, json: values.json } : { problem: usage };
  } catch (error) {
    return { problem: `${(error as Error).message}\n${usage}` };
  }
}
