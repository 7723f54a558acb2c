import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql for our files and for Apollo Server's, as in production.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setUp.ts'],
    // Tests wait for servers more than they compute.
    maxWorkers: 3,
    // Nothing fails by being slow: these only end tests that would run for ever.
    testTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/generated/**'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
