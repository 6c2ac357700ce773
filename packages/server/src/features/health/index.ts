/** What other features use of health. */
export { presentWidgets } from './operations/present-widgets.ts';
