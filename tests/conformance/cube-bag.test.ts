import { conformance } from './conformance.ts';

conformance('cube-bag');
