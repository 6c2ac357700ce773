import type { Operations } from '../../platform/operations/action.ts';
import { getHome } from './operations/get-home.ts';

export const homeOperations = {
  getHome,
} satisfies Operations<unknown>;
