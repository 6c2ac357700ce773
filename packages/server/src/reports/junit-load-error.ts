// Producers write a file, class or module that could not be loaded as a test case of its own, because
// JUnit XML has no other place for it. No test ran there. These are the marks they leave.
export function isLoadError(
  name: string,
  className: string,
  failure: { message: string; text: string },
): boolean {
  return (
    // Surefire and Vitest name the whole class or file instead of a test in it.
    name === '' ||
    name === className ||
    // pytest
    failure.message === 'collection failure' ||
    // JUnit 4, also behind Gradle
    name === 'initializationError' ||
    // Python's unittest
    /^unittest\.(loader\._FailedTest|suite\._ErrorHolder)$/.test(className) ||
    // Jest
    /\bTest suite failed to run\b/.test(
      `${name}\n${failure.message}\n${failure.text.slice(0, 200)}`,
    )
  );
}
