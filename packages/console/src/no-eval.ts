/**
 * Zod builds faster parsers with `new Function` if allowed, and tests this by a trial. The pages
 * forbid it, and the trial alone is reported as a violation. This module runs before the first
 * schema.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
