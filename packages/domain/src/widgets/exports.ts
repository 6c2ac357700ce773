export * from './png.ts';
export * from './read-widget-resource.ts';
export * from './refused-origin.ts';
export * from './reported-widgets.ts';
export * from './unrendered.ts';
export * from './widget-observation.ts';
export * from './widget-of-tool.ts';
export * from './widget-origins.ts';
