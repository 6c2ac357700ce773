import type { Operations } from '../../platform/operations/action.ts';
import {
  dismissUserTestingFinding,
  undismissUserTestingFinding,
} from './operations/dismiss-user-testing-finding.ts';
import { userTestingActions } from './operations/user-testing-actions.ts';
import type { UserTestingParts } from './user-testing-context.ts';

export const userTestingOperations = {
  dismissUserTestingFinding,
  undismissUserTestingFinding,
  ...userTestingActions,
} satisfies Operations<UserTestingParts>;
