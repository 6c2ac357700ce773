export { presentWidgets } from './operations/present-widgets.ts';
