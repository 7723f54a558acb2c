/** The monotonic clock, by the name that this folder uses. */
export { toMonotonicClock as createSteadyClock } from '../../lib/monotonicClock.js';
