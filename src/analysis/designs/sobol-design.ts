/*!
 * Initial direction numbers of Sobol sequences: the first 256 dimensions of new-joe-kuo-6.21201, as published in
 * S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal on Scientific
 * Computing 30, 2635-2654 (2008), https://web.maths.unsw.edu.au/~fkuo/sobol/
 *
 * Copyright (c) 2008, Frances Y. Kuo and Stephen Joe
 * All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
 * following conditions are met:
 *
 *   * Redistributions of source code must retain the above copyright notice, this list of conditions and the following
 *     disclaimer.
 *
 *   * Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the
 *     following disclaimer in the documentation and/or other materials provided with the distribution.
 *
 *   * Neither the names of the copyright holders nor the names of the University of New South Wales and the University
 *     of Waikato and its contributors may be used to endorse or promote products derived from this software without
 *     specific prior written permission.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS ``AS IS'' AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT
 * NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO
 * EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
 * CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA,
 * OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT
 * LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF
 * ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
 */
import type { Stream } from '../../core/index.ts';
import { checkSize, createDimensionStreams, type Design, drawAt } from './design.ts';

/**
 * Dimensions 2 to 256, `a:m1,m2,...,ms`: a primitive polynomial of degree s, whose inner coefficients are the bits of
 * a, the highest power first, and s initial numbers. Dimension 1, the radical inverse, needs none.
 */
export const JOE_KUO = `
0:1 1:1,3 1:1,3,1 2:1,1,1 1:1,1,3,3 4:1,3,5,13 2:1,1,5,5,17 4:1,1,5,5,5 7:1,1,7,11,19 11:1,1,5,1,1 13:1,1,1,3,11
14:1,3,5,5,31 1:1,3,3,9,7,49 13:1,1,1,15,21,21 16:1,3,1,13,27,49 19:1,1,1,15,7,5 22:1,3,1,15,13,25 25:1,1,5,5,19,61
1:1,3,7,11,23,15,103 4:1,3,7,13,13,15,69 7:1,1,3,13,7,35,63 8:1,3,5,9,1,25,53 14:1,3,1,13,9,35,107 19:1,3,1,5,27,61,31
21:1,1,5,11,19,41,61 28:1,3,5,3,3,13,69 31:1,1,7,13,1,19,1 32:1,3,7,5,13,19,59 37:1,1,3,9,25,29,41 41:1,3,5,13,23,1,55
42:1,3,7,3,13,59,17 50:1,3,1,3,5,53,69 55:1,1,5,5,23,33,13 56:1,1,7,7,1,61,123 59:1,1,7,9,13,61,49 62:1,3,3,5,3,55,33
14:1,3,1,15,31,13,49,245 21:1,3,5,15,31,59,63,97 22:1,3,1,11,11,11,77,249 38:1,3,1,11,27,43,71,9
47:1,1,7,15,21,11,81,45 49:1,3,7,3,25,31,65,79 50:1,3,1,1,19,11,3,205 52:1,1,5,9,19,21,29,157 56:1,3,7,11,1,33,89,185
67:1,3,3,3,15,9,79,71 70:1,3,7,11,15,39,119,27 84:1,1,3,1,11,31,97,225 97:1,1,1,3,23,43,57,177 103:1,3,7,7,17,17,37,71
115:1,3,1,5,27,63,123,213 122:1,1,3,5,11,43,53,133 8:1,3,5,5,29,17,47,173,479 13:1,3,3,11,3,1,109,9,69
16:1,1,1,5,17,39,23,5,343 22:1,3,1,5,25,15,31,103,499 25:1,1,1,11,11,17,63,105,183 44:1,1,5,11,9,29,97,231,363
47:1,1,5,15,19,45,41,7,383 52:1,3,7,7,31,19,83,137,221 55:1,1,1,3,23,15,111,223,83 59:1,1,5,13,31,15,55,25,161
62:1,1,3,13,25,47,39,87,257 67:1,1,1,11,21,53,125,249,293 74:1,1,7,11,11,7,57,79,323 81:1,1,5,5,17,13,81,3,131
82:1,1,7,13,23,7,65,251,475 87:1,3,5,1,9,43,3,149,11 91:1,1,3,13,31,13,13,255,487 94:1,3,3,1,5,63,89,91,127
103:1,1,3,3,1,19,123,127,237 104:1,1,5,7,23,31,37,243,289 109:1,1,5,11,17,53,117,183,491 122:1,1,1,5,1,13,13,209,345
124:1,1,3,15,1,57,115,7,33 137:1,3,1,11,7,43,81,207,175 138:1,3,1,1,15,27,63,255,49 143:1,3,5,3,27,61,105,171,305
145:1,1,5,3,1,3,57,249,149 152:1,1,3,5,5,57,15,13,159 157:1,1,1,11,7,11,105,141,225 167:1,3,3,5,27,59,121,101,271
173:1,3,5,9,11,49,51,59,115 176:1,1,7,1,23,45,125,71,419 181:1,1,3,5,23,5,105,109,75 182:1,1,7,15,7,11,67,121,453
185:1,3,7,3,9,13,31,27,449 191:1,3,1,15,19,39,39,89,15 194:1,1,1,1,1,33,73,145,379 199:1,3,1,15,15,43,29,13,483
218:1,1,7,3,19,27,85,131,431 220:1,3,3,3,5,35,23,195,349 227:1,3,3,7,9,27,39,59,297 229:1,1,3,9,11,17,13,241,157
230:1,3,7,15,25,57,33,189,213 234:1,1,7,1,9,55,73,83,217 236:1,3,3,13,19,27,23,113,249 241:1,3,5,3,23,43,3,253,479
244:1,1,5,5,11,5,45,117,217 253:1,3,3,7,29,37,33,123,147 4:1,3,1,15,5,5,37,227,223,459 13:1,1,7,5,5,39,63,255,135,487
19:1,3,1,7,9,7,87,249,217,599 22:1,1,3,13,9,47,7,225,363,247 50:1,3,7,13,19,13,9,67,9,737
55:1,3,5,5,19,59,7,41,319,677 64:1,1,5,3,31,63,15,43,207,789 69:1,1,7,9,13,39,3,47,497,169
98:1,3,1,7,21,17,97,19,415,905 107:1,3,7,1,3,31,71,111,165,127 115:1,1,5,11,1,61,83,119,203,847
121:1,3,3,13,9,61,19,97,47,35 127:1,1,7,7,15,29,63,95,417,469 134:1,3,1,9,25,9,71,57,213,385
140:1,3,5,13,31,47,101,57,39,341 145:1,1,3,3,31,57,125,173,365,551 152:1,3,7,1,13,57,67,157,451,707
158:1,1,1,7,21,13,105,89,429,965 161:1,1,5,9,17,51,45,119,157,141 171:1,3,7,7,13,45,91,9,129,741
181:1,3,7,1,23,57,67,141,151,571 194:1,1,3,11,17,47,93,107,375,157 199:1,3,3,5,11,21,43,51,169,915
203:1,1,5,3,15,55,101,67,455,625 208:1,3,5,9,1,23,29,47,345,595 227:1,3,7,7,5,49,29,155,323,589
242:1,3,3,7,5,41,127,61,261,717 251:1,3,7,7,17,23,117,67,129,1009 253:1,1,3,13,11,39,21,207,123,305
265:1,1,3,9,29,3,95,47,231,73 266:1,3,1,9,1,29,117,21,441,259 274:1,3,1,13,21,39,125,211,439,723
283:1,1,7,3,17,63,115,89,49,773 289:1,3,7,13,11,33,101,107,63,73 295:1,1,5,5,13,57,63,135,437,177
301:1,1,3,7,27,63,93,47,417,483 316:1,1,3,1,23,29,1,191,49,23 319:1,1,3,15,25,55,9,101,219,607
324:1,3,1,7,7,19,51,251,393,307 346:1,3,3,3,25,55,17,75,337,3 352:1,1,1,13,25,17,65,45,479,413
361:1,1,7,7,27,49,99,161,213,727 367:1,3,5,1,23,5,43,41,251,857 382:1,3,3,7,11,61,39,87,383,835
395:1,1,3,15,13,7,29,7,505,923 398:1,3,7,1,5,31,47,157,445,501 400:1,1,3,7,1,43,9,147,115,605
412:1,3,3,13,5,1,119,211,455,1001 419:1,1,3,5,13,19,3,243,75,843 422:1,3,7,7,1,19,91,249,357,589
426:1,1,1,9,1,25,109,197,279,411 428:1,3,1,15,23,57,59,135,191,75 433:1,1,5,15,29,21,39,253,383,349
446:1,3,3,5,19,45,61,151,199,981 454:1,3,5,13,9,61,107,141,141,1 457:1,3,1,11,27,25,85,105,309,979
472:1,3,3,11,19,7,115,223,349,43 493:1,1,7,9,21,39,123,21,275,927 505:1,1,7,13,15,41,47,243,303,437
508:1,1,1,7,7,3,15,99,409,719 2:1,3,3,15,27,49,113,123,113,67,469 11:1,3,7,11,3,23,87,169,119,483,199
21:1,1,5,15,7,17,109,229,179,213,741 22:1,1,5,13,11,17,25,135,403,557,1433 35:1,3,1,1,1,61,67,215,189,945,1243
49:1,1,7,13,17,33,9,221,429,217,1679 50:1,1,3,11,27,3,15,93,93,865,1049 56:1,3,7,7,25,41,121,35,373,379,1547
61:1,3,3,9,11,35,45,205,241,9,59 70:1,3,1,7,3,51,7,177,53,975,89 74:1,1,3,5,27,1,113,231,299,759,861
79:1,3,3,15,25,29,5,255,139,891,2031 84:1,3,1,1,13,9,109,193,419,95,17 88:1,1,7,9,3,7,29,41,135,839,867
103:1,1,7,9,25,49,123,217,113,909,215 104:1,1,7,3,23,15,43,133,217,327,901 112:1,1,3,3,13,53,63,123,477,711,1387
115:1,1,3,15,7,29,75,119,181,957,247 117:1,1,1,11,27,25,109,151,267,99,1461 122:1,3,7,15,5,5,53,145,11,725,1501
134:1,3,7,1,9,43,71,229,157,607,1835 137:1,3,3,13,25,1,5,27,471,349,127 146:1,1,1,1,23,37,9,221,269,897,1685
148:1,1,3,3,31,29,51,19,311,553,1969 157:1,3,7,5,5,55,17,39,475,671,1529 158:1,1,7,1,1,35,47,27,437,395,1635
162:1,1,7,3,13,23,43,135,327,139,389 164:1,3,7,3,9,25,91,25,429,219,513 168:1,1,3,5,13,29,119,201,277,157,2043
173:1,3,5,3,29,57,13,17,167,739,1031 185:1,3,3,5,29,21,95,27,255,679,1531 186:1,3,7,15,9,5,21,71,61,961,1201
191:1,3,5,13,15,57,33,93,459,867,223 193:1,1,1,15,17,43,127,191,67,177,1073 199:1,1,1,15,23,7,21,199,75,293,1611
213:1,3,7,13,15,39,21,149,65,741,319 214:1,3,7,11,23,13,101,89,277,519,711 220:1,3,7,15,19,27,85,203,441,97,1895
227:1,3,1,3,29,25,21,155,11,191,197 236:1,1,7,5,27,11,81,101,457,675,1687 242:1,3,1,5,25,5,65,193,41,567,781
251:1,3,1,5,11,15,113,77,411,695,1111 256:1,1,3,9,11,53,119,171,55,297,509 259:1,1,1,1,11,39,113,139,165,347,595
265:1,3,7,11,9,17,101,13,81,325,1733 266:1,3,1,1,21,43,115,9,113,907,645 276:1,1,7,3,9,25,117,197,159,471,475
292:1,3,1,9,11,21,57,207,485,613,1661 304:1,1,7,7,27,55,49,223,89,85,1523 310:1,1,5,3,19,41,45,51,447,299,1355
316:1,3,1,13,1,33,117,143,313,187,1073 319:1,1,7,7,5,11,65,97,377,377,1501 322:1,3,1,1,21,35,95,65,99,23,1239
328:1,1,5,9,3,37,95,167,115,425,867 334:1,3,3,13,1,37,27,189,81,679,773 339:1,1,3,11,1,61,99,233,429,969,49
341:1,1,1,7,25,63,99,165,245,793,1143 345:1,1,5,11,11,43,55,65,71,283,273 346:1,1,5,5,9,3,101,251,355,379,1611
362:1,1,1,15,21,63,85,99,49,749,1335 367:1,1,5,13,27,9,121,43,255,715,289 372:1,3,1,5,27,19,17,223,77,571,1415
375:1,1,5,3,13,59,125,251,195,551,1737 376:1,3,3,15,13,27,49,105,389,971,755 381:1,3,5,15,23,43,35,107,447,763,253
385:1,3,5,11,21,3,17,39,497,407,611 388:1,1,7,13,15,31,113,17,23,507,1995 392:1,1,7,15,3,15,31,153,423,79,503
409:1,1,7,9,19,25,23,171,505,923,1989 415:1,1,5,9,21,27,121,223,133,87,697 416:1,1,5,5,9,19,107,99,319,765,1461
421:1,1,3,3,19,25,3,101,171,729,187 428:1,1,3,1,13,23,85,93,291,209,37 431:1,1,1,15,25,25,77,253,333,947,1073
434:1,1,3,9,17,29,55,47,255,305,2037 439:1,3,3,9,29,63,9,103,489,939,1523 446:1,3,7,15,7,31,89,175,369,339,595
451:1,3,7,13,25,5,71,207,251,367,665 453:1,3,3,3,21,25,75,35,31,321,1603 457:1,1,1,9,11,1,65,5,11,329,535
458:1,1,5,3,19,13,17,43,379,485,383 471:1,3,5,13,13,9,85,147,489,787,1133 475:1,3,1,1,5,51,37,129,195,297,1783
478:1,1,3,15,19,57,59,181,455,697,2033 484:1,3,7,1,27,9,65,145,325,189,201 493:1,3,1,15,31,23,19,5,485,581,539
494:1,1,7,13,11,15,65,83,185,847,831 499:1,3,5,7,7,55,73,15,303,511,1905 502:1,3,5,9,7,21,45,15,397,385,597
517:1,3,7,3,23,13,73,221,511,883,1265 518:1,1,3,11,1,51,73,185,33,975,1441 524:1,3,3,9,19,59,21,39,339,37,143
527:1,1,7,1,31,33,19,167,117,635,639 555:1,1,1,3,5,13,59,83,355,349,1967 560:1,1,1,5,19,3,53,133,97,863,983
`;

// Sobol sequences, each point evaluated directly from its index, scrambled or plain.

/** Bits of an index and of a coordinate. */
const BITS = 32;

const POLYNOMIALS = JOE_KUO.trim().split(/\s+/);

/** Maximum number of dimensions of a Sobol design. */
export const SOBOL_DIMENSIONS: number = POLYNOMIALS.length + 1;

/** The radical inverse in base 2: bit i of an index becomes bit 31 - i. */
const INVERSE = Uint32Array.from({ length: BITS }, (_, i) => 2 ** (BITS - 1 - i));

/**
 * Computes the direction numbers v_1..v_32 of a dimension as 32-bit fractions: the tabulated ones, then the recurrence
 * of P. Bratley and B. L. Fox (ACM Transactions on Mathematical Software 14, 1988, algorithm 659): v_i = a_1 v_(i-1) ^
 * ... ^ a_(s-1) v_(i-s+1) ^ v_(i-s) ^ (v_(i-s) >> s).
 * @param dimension 0..255
 */
function computeDirections(dimension: number): Uint32Array {
  const [coefficients, initial] = (POLYNOMIALS[dimension - 1] ?? '').split(':');
  if (initial === undefined) return INVERSE;
  const given = initial.split(',').map(Number);
  const [a, degree] = [Number(coefficients), given.length];
  const v = new Uint32Array(BITS);
  const countBefore = (i: number): number => v[i] ?? 0;
  for (let i = 0; i < BITS; i++) {
    const m = given[i];
    let value =
      m === undefined ? countBefore(i - degree) ^ (countBefore(i - degree) >>> degree) : m * 2 ** (BITS - 1 - i);
    for (let k = 1; m === undefined && k < degree; k++) {
      if (((a >>> (degree - 1 - k)) & 1) === 1) value ^= countBefore(i - k);
    }
    v[i] = value;
  }
  return v;
}

/**
 * Computes a coordinate as a 32-bit fraction: the sum in base 2 without carry of the directions of the index's bits.
 */
function computeCoordinate(v: Uint32Array, index: number): number {
  let sum = 0;
  for (let rest = index >>> 0, i = 0; rest !== 0; rest >>>= 1, i++) if ((rest & 1) === 1) sum ^= v[i] ?? 0;
  return sum >>> 0;
}

/**
 * Applies Owen's nested uniform scrambling (A. B. Owen 1995): the bits of a coordinate are a path in a binary tree.
 * Each of its 2^32 - 1 nodes, numbered as in a heap, has a random word that decides whether the next bit is flipped.
 * Every point is uniform, and every elementary interval keeps its share of points.
 */
function scramble(fraction: number, stream: Stream): number {
  let flips = drawAt(stream, 1, 2);
  for (let level = 1; level < BITS; level++) {
    const node = (1 << level) | (fraction >>> (BITS - level));
    flips = (flips << 1) | drawAt(stream, node, 2);
  }
  return (fraction ^ flips) >>> 0;
}

/** Creates the Sobol sequence as published, in the order of the indices, not in Gray code order. */
export function createPlainSobolDesign(dimensions: number, points: number): Design {
  checkSize(dimensions, points, SOBOL_DIMENSIONS);
  const tables = Array.from({ length: dimensions }, (_, d) => computeDirections(d));
  return { dimensions, points, point: (k) => Float64Array.from(tables, (v) => computeCoordinate(v, k) / 2 ** BITS) };
}

/**
 * Creates a Sobol sequence (I. M. Sobol 1967) with the direction numbers of S. Joe and F. Y. Kuo (2008), scrambled by
 * Owen's method. Preferably use a power of two of points, so that elementary intervals have equal counts; a longer
 * design of the same seed starts with the same points. A coordinate costs about 32 words.
 * @param dimensions 1..256
 * @param points 1..2^32
 * @throws InputError if one of them is out of range
 */
export function createSobolDesign(dimensions: number, points: number, seed: bigint): Design {
  const plain = createPlainSobolDesign(dimensions, points);
  const scrambles = createDimensionStreams('scramble', seed, dimensions);
  const point = (k: number): Float64Array => {
    const at = plain.point(k);
    for (const [d, stream] of scrambles.entries()) at[d] = scramble((at[d] ?? 0) * 2 ** BITS, stream) / 2 ** BITS;
    return at;
  };
  return { dimensions, points, point };
}

// Rows for the estimation of first-order and total indices.

/** Counts the rows of one base point: A, B, and for each dimension A with that coordinate from B. */
export const countRows = (dimensions: number): number => dimensions + 2;

/**
 * Creates the scheme of A. Saltelli et al. (Computer Physics Communications 181, 2010) over a scrambled Sobol sequence:
 * a base point in twice the dimensions is split into a point of A and a point of B; row 2 + i is the point of A with
 * coordinate i from B. Base point j has the dimensions + 2 rows from j * (dimensions + 2).
 * @param dimensions 1..128
 * @param base base points, preferably a power of two; the design has (dimensions + 2) times this number
 * @throws InputError if one of them is out of range
 */
export function createSaltelliDesign(dimensions: number, base: number, seed: bigint): Design {
  const wide = createSobolDesign(2 * dimensions, base, seed);
  const rows = countRows(dimensions);
  const point = (k: number): Float64Array => {
    const row = k % rows;
    const whole = wide.point(Math.floor(k / rows));
    if (row === 1) return whole.slice(dimensions);
    const mixed = whole.slice(0, dimensions);
    if (row > 1) mixed[row - 2] = whole[dimensions + row - 2] ?? 0;
    return mixed;
  };
  return { dimensions, points: base * rows, point };
}
