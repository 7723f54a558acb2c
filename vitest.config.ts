import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Files that measure the memory or CPU time or count the sockets of their process, and files whose calls between
 * processes time out after their end: no other file may share the process.
 */
const alone = [
  'test/attacks/hostileTexts.test.ts',
  'test/integration/live/releasedSources.test.ts',
  'test/integration/resilience/{bodies,cancellation,circuitBreaker,faults,limits}.test.ts',
  'test/integration/workers/*.test.ts',
  'test/property/rest/resilience/resilientTransport.test.ts',
  'test/unit/graphql/documents/documentMemory.test.ts',
  'test/unit/graphql/limits/operationCost.test.ts',
  'test/unit/workers/*.test.ts',
];
/** Files that count the sockets of their process, and leave none open, so that they can share it. */
const counting = ['test/faults/*.test.ts'];
/** Files that compute for long and read no clock; `test:clocks` and `coverage` leave them out. */
const long = [
  'test/browser/{eventSource,examples,explorer*}.test.ts',
  ...['test/fuzz/*.test.ts', 'test/property/execution/**/*.test.ts'],
];

const v8Flags = [
  // Short-lived objects of many servers in one process: with V8's limit, collecting them takes a tenth of all CPU time.
  '--max-semi-space-size=64',
  // Later versions do not have this flag. V8 of Node 20 optimises functions that run too briefly to gain from it: with 30
  // times its limit, tests take a seventh less CPU time.
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=2000000'] : []),
];

export default defineConfig({
  // One copy of graphql for our files and for Apollo Server's, as in production.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    setupFiles: ['test/support/setUp.ts'],
    // Other files share a process and its modules: starting both for each file took a fifth of the time of all tests.
    projects: [
      { extends: true, test: { name: 'own process', include: alone, isolate: true } },
      { extends: true, test: { name: 'counting', include: counting, isolate: false } },
      { extends: true, test: { name: 'long', include: long, isolate: true } },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone, ...counting, ...long],
          isolate: false,
        },
      },
    ],
    execArgv: v8Flags,
    // Tests wait for servers more than they compute.
    maxWorkers: 4,
    // Slow tests do not fail: these limits only end tests that would run forever.
    testTimeout: 300_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/generated/**'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
