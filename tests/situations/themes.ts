import { argumentRows } from './rows/arguments.ts';
import { askingBack } from './rows/asking-back.ts';
import { authoring } from './rows/authoring.ts';
import { bounds } from './rows/bounds.ts';
import { codes } from './rows/codes.ts';
import { connecting } from './rows/connecting.ts';
import { diagnosing } from './rows/diagnosing.ts';
import { eras } from './rows/eras.ts';
import { isolation } from './rows/isolation.ts';
import { listing } from './rows/listing.ts';
import { measuring } from './rows/measuring.ts';
import { policies } from './rows/policies.ts';
import { providers } from './rows/providers.ts';
import { real } from './rows/real.ts';
import { refusals } from './rows/refusals.ts';
import { reporting } from './rows/reporting.ts';
import { results } from './rows/results.ts';
import { selecting } from './rows/selecting.ts';
import { tasks } from './rows/tasks.ts';
import { testReports } from './rows/test-reports.ts';
import type { Theme } from './situation.ts';

export const themes: readonly Theme[] = [
  connecting,
  listing,
  eras,
  isolation,
  codes,
  refusals,
  providers,
  argumentRows,
  results,
  askingBack,
  tasks,
  selecting,
  bounds,
  policies,
  authoring,
  measuring,
  reporting,
  testReports,
  diagnosing,
  real,
];
