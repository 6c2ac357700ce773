/** The parts of health that other features may use. */
export { presentWidgets } from './operations/present-widgets.ts';
