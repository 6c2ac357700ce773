"""Writes expected.json: 200 random tables with the answers of scipy, statsmodels and R.

On Debian: apt-get install python3-scipy python3-statsmodels r-base-core
Then:      /usr/bin/python3 make-reference.py
The random numbers have a fixed seed, so the same versions write the same bytes.
"""
import itertools
import json
import pathlib
import random
import subprocess

import numpy
import scipy
import scipy.optimize
import scipy.special
import scipy.stats
import statsmodels
import statsmodels.api
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

tables = 200
chance = random.Random(53)


def shortened(value):
    """Rounds to 13 digits, more than the tests compare."""
    if isinstance(value, float):
        return float(f"{value:.13g}")
    if isinstance(value, list):
        return [shortened(one) for one in value]
    return {key: shortened(one) for key, one in value.items()} if isinstance(value, dict) else value


def evaluate_in_r(expressions):
    """Returns the numbers that R has for expressions, with all digits."""
    lines = "\n".join(f'cat(sprintf("%.17g\\n", {one}))' for one in expressions)
    answer = subprocess.run(["Rscript", "-"], input=lines, text=True, capture_output=True, check=True)
    return [float(line) for line in answer.stdout.split()]


def r_vector(values):
    return "c(" + ",".join(repr(float(value)) for value in values) + ")"


def with_r(rows, expression):
    for row, value in zip(rows, evaluate_in_r([expression(row) for row in rows])):
        row["r"] = value
    return rows


def fisher_rows():
    rows = []
    for number in range(tables):
        most = [6, 20, 60, 300][number % 4]
        trials = [chance.randint(1, most), chance.randint(1, most)]
        rates = [chance.random(), chance.random()]
        base, compare = ([sum(chance.random() < rate for _ in range(n)), n] for rate, n in zip(rates, trials))
        table = [[base[0], base[1] - base[0]], [compare[0], compare[1] - compare[0]]]
        _, p = scipy.stats.fisher_exact(table)
        rows.append({"base": base, "compare": compare, "scipy": float(p)})
    return with_r(
        rows,
        lambda row: "fisher.test(matrix(c({},{},{},{}),2))$p.value".format(
            row["base"][0], row["base"][1] - row["base"][0], row["compare"][0], row["compare"][1] - row["compare"][0]
        ),
    )


def adjusted_rows(fisher):
    """Families of 1 to 16 chances, some of them equal, from the tables above."""
    rows = []
    for _ in range(tables):
        chances = [shortened(chance.choice(fisher)["scipy"]) for _ in range(chance.randint(1, 16))]
        rows.append(
            {
                "chances": chances,
                "holm": multipletests(chances, method="holm")[1].tolist(),
                "bh": multipletests(chances, method="fdr_bh")[1].tolist(),
            }
        )
    for name, method in [("holmR", "holm"), ("bhR", "BH")]:
        flat = evaluate_in_r([f'p.adjust({r_vector(row["chances"])},"{method}")' for row in rows])
        for row in rows:
            row[name], flat = flat[: len(row["chances"])], flat[len(row["chances"]) :]
    return rows


def run_of(cases, most, rates, drop):
    """Passed and all trials of each case on both sides."""
    trials = [chance.randint(1, most) for _ in range(cases)]
    side = lambda less: [
        [sum(chance.random() < rate - less for _ in range(n)), n] for rate, n in zip(rates, trials)
    ]
    return side(0), side(drop)


def rate_pairs(base, compare):
    return [p / n for p, n in base], [p / n for p, n in compare]


def paired_rows():
    rows = []
    for _ in range(tables):
        cases = chance.randint(20, 45)
        rates = [chance.uniform(0.3, 1) for _ in range(cases)]
        base, compare = run_of(cases, 8, rates, chance.choice([0, 0.1, 0.2]))
        before, now = rate_pairs(base, compare)
        found = scipy.stats.ttest_rel(now, before)
        rows.append({"base": base, "compare": compare, "scipy": float(found.pvalue)})
    return with_r(
        rows,
        lambda row: "t.test({1},{0},paired=TRUE)$p.value".format(
            *(r_vector(rates) for rates in rate_pairs(row["base"], row["compare"]))
        ),
    )


def clustered_rows():
    """A mean with errors that are robust to clusters, without a correction for small samples."""
    rows = []
    for _ in range(tables):
        clusters = chance.randint(20, 30)
        sizes = [chance.randint(1, 3) for _ in range(clusters)]
        if max(sizes) == 1:
            sizes[0] = 2
        groups = [number for number, size in enumerate(sizes) for _ in range(size)]
        rates = [chance.uniform(0.3, 1) for _ in groups]
        base, compare = run_of(len(groups), 8, rates, chance.choice([0, 0.1]))
        before, now = rate_pairs(base, compare)
        differences = numpy.array(now) - numpy.array(before)
        fitted = statsmodels.api.OLS(differences, numpy.ones(len(groups))).fit(
            cov_type="cluster",
            cov_kwds={"groups": numpy.array(groups), "use_correction": False, "df_correction": True},
            use_t=True,
        )
        rows.append(
            {
                "clusters": groups,
                "base": base,
                "compare": compare,
                "difference": float(fitted.params[0]),
                "standardError": float(fitted.bse[0]),
                "statsmodels": float(fitted.pvalues[0]),
            }
        )
    return rows


def mcnemar_rows():
    rows = []
    for _ in range(tables):
        cases = chance.randint(6, 120)
        both, worse, better = chance.random(), chance.random() * 0.4, chance.random() * 0.4
        kinds = chance.choices(["both", "worse", "better"], [both, worse, better], k=cases)
        worse, better = kinds.count("worse"), kinds.count("better")
        found = mcnemar([[cases - worse - better, worse], [better, 0]], exact=True)
        rows.append({"cases": cases, "worse": worse, "better": better, "statsmodels": float(found.pvalue)})
    return with_r(
        rows,
        lambda row: "binom.test({},{},0.5)$p.value".format(row["worse"], row["worse"] + row["better"])
        if row["worse"] + row["better"] > 0
        else "1",
    )


def sign_flip_rows():
    """By scipy up to 12 differences; all signs in one matrix up to 19."""
    rows = []
    for number in range(tables):
        cases = chance.randint(6, 12) if number < tables - 8 else chance.randint(13, 19)
        rates = [chance.uniform(0.3, 1) for _ in range(cases)]
        base, compare = run_of(cases, 6, rates, chance.choice([0, 0.2, 0.4]))
        # At least one case has more than one trial, else the test is McNemar's.
        base[0], compare[0] = [base[0][0], max(2, base[0][1])], [compare[0][0], max(2, compare[0][1])]
        before, now = rate_pairs(base, compare)
        differences = numpy.array(now) - numpy.array(before)
        if cases <= 12:
            p = scipy.stats.permutation_test(
                (differences,), numpy.mean, permutation_type="samples", n_resamples=numpy.inf
            ).pvalue
            rows.append({"base": base, "compare": compare, "scipy": float(p)})
        else:
            halves = numpy.array(list(itertools.product([1, -1], repeat=cases - 1)), dtype=numpy.int8)
            sums = numpy.abs(halves @ differences[1:] + differences[0])
            p = numpy.mean(sums >= abs(differences.sum()) - 1e-10)
            rows.append({"base": base, "compare": compare, "allSigns": float(p)})
    return rows


def beta_rows():
    rows = []
    for number in range(tables):
        most = [10, 100, 1000, 5000][number % 4]
        # Student's t needs halves, histories need whole numbers.
        a, b = (chance.randint(1, 2 * most) / 2 for _ in range(2))
        x = chance.choice([chance.random(), 0.02, 0.9, 0.98, min(0.999, max(0.001, a / (a + b)))])
        rows.append({"x": x, "a": a, "b": b, "scipy": float(scipy.special.betainc(a, b, x))})
    return with_r(rows, lambda row: "pbeta({x!r},{a},{b},log.p=TRUE)".format(**row))


def evidence_rows():
    """Logarithms of e-values, from R's beta functions in logarithms."""
    rows = []
    for _ in range(tables):
        trials = chance.choice([5, 20, 100, 500])
        passed = chance.randint(0, trials)
        rate = chance.choice([0.02, 0.5, 0.8, 0.9, 0.98])
        rows.append({"passed": passed, "trials": trials, "rate": rate})
    return with_r(
        rows,
        lambda row: "lbeta({a},{b})+pbeta({rate},{a},{b},log.p=TRUE)-log({rate})-{passed}*log({rate})-{failed}*log1p(-{rate})".format(
            a=row["passed"] + 1,
            b=row["trials"] - row["passed"] + 1,
            failed=row["trials"] - row["passed"],
            passed=row["passed"],
            rate=row["rate"],
        ),
    )


def quantile_rows():
    def in_scipy(level, degrees):
        # t.ppf of scipy 1.10 is up to 2e-9 away from where its own t.sf has the level.
        above = lambda t: scipy.stats.t.sf(t, degrees) - (1 - level)
        return float(scipy.optimize.brentq(above, 0, 50, xtol=1e-14, rtol=1e-14))

    rows = [
        {"level": level, "degrees": degrees, "scipy": in_scipy(level, degrees)}
        for degrees in range(1, 101)
        for level in (0.9, 0.975)
    ]
    return with_r(rows, lambda row: "qt({level},{degrees})".format(**row))


def binomial_rows():
    rows = []
    for _ in range(tables):
        trials = chance.choice([10, 60, 200, 2000])
        passed, rate = chance.randint(0, trials), chance.random()
        p = float(scipy.stats.binom.sf(passed - 1, trials, rate))
        rows.append({"passed": passed, "trials": trials, "rate": rate, "scipy": p})
    return with_r(rows, lambda row: "pbinom({},{trials},{rate!r},lower.tail=FALSE)".format(row["passed"] - 1, **row))


fisher = fisher_rows()
expected = {
    "made": {
        "scipy": scipy.__version__,
        "statsmodels": statsmodels.__version__,
        "r": "{:g}.{:g}".format(*evaluate_in_r(["as.numeric(R.version$major)", "as.numeric(R.version$minor)"])),
    },
    "fisher": fisher,
    "adjusted": adjusted_rows(fisher),
    "paired": paired_rows(),
    "clustered": clustered_rows(),
    "mcnemar": mcnemar_rows(),
    "signFlip": sign_flip_rows(),
    "beta": beta_rows(),
    "evidence": evidence_rows(),
    "quantiles": quantile_rows(),
    "binomial": binomial_rows(),
}

lines = ",\n".join(
    f" {json.dumps(part)}: "
    + (json.dumps(rows) if part == "made" else "[\n" + ",\n".join("  " + json.dumps(shortened(row)) for row in rows) + "\n ]")
    for part, rows in expected.items()
)
pathlib.Path(__file__).with_name("expected.json").write_text("{\n" + lines + "\n}\n")
