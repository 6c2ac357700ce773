/**
 * The complete schema of 0.1.0. It has one file for each area, in an order in which tables refer
 * only to earlier ones.
 */
import { catalog } from './base-line/catalog.ts';
import { environments } from './base-line/environments.ts';
import { evals } from './base-line/evals.ts';
import { identity } from './base-line/identity.ts';
import { insights } from './base-line/insights.ts';
import { mutations } from './base-line/mutations.ts';
import { playground } from './base-line/playground.ts';
import { swarms } from './base-line/swarms.ts';
import { trials } from './base-line/trials.ts';
import { usage } from './base-line/usage.ts';
import { userTesting } from './base-line/user-testing.ts';
import { work } from './base-line/work.ts';

export const baseLine = [
  identity,
  usage,
  catalog,
  environments,
  evals,
  trials,
  mutations,
  swarms,
  playground,
  userTesting,
  insights,
  work,
].join('\n');
