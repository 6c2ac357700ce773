/**
 * Zod builds faster parsers with `new Function` where it may, and tries whether it may. Our pages
 * forbid it, and the try alone is reported as a violation. This runs before the first schema.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
