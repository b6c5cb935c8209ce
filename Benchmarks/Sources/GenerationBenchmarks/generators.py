"""Makes employees with a Python library: generators.py mimesis|faker ROWS GROUPS OUTPUT.

The columns are those of the model of the benchmark. As `granary generate` does, an optional one is empty in one of ten
rows, and a reference is one of GROUPS codes. Exits with 69 if the library is not installed.
"""

import csv
import datetime
import random
import sys

kind, rows, groups, target = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
try:
    if kind == "mimesis":
        import mimesis
    else:
        import faker
except ImportError:
    sys.exit(69)

FIRST, LAST = datetime.date(1950, 1, 1), datetime.date(2005, 12, 31)

if kind == "mimesis":
    made = mimesis.Generic(locale=mimesis.Locale.EN, seed=1)
    name, email, phone = made.person.full_name, made.person.email, made.person.phone_number
    city = made.address.city

    def level():
        return made.numeric.integer_number(1, 20)

    def salary():
        return made.numeric.float_number(20_000, 200_000, precision=2)

    def birthday():
        return made.datetime.date(FIRST.year, LAST.year)
else:
    faker.Faker.seed(1)
    made = faker.Faker("en_US")
    name, email, phone, city = made.name, made.email, made.phone_number, made.city

    def level():
        return made.pyint(1, 20)

    def salary():
        return made.pyfloat(min_value=20_000, max_value=200_000, right_digits=2)

    def birthday():
        return made.date_between(FIRST, LAST)


random.seed(1)
header = "code,name,email,phone,city,level,salary,birthday,department,office"


def optional(make):
    return "" if random.random() < 0.1 else make()


def group(letter):
    return f"{letter}{random.randrange(groups):06}"


with open(target, "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header.split(","))
    for row in range(rows):
        date = optional(birthday)
        writer.writerow(
            [
                f"E{row:08}",
                optional(name),
                optional(email),
                optional(phone),
                optional(city),
                level(),
                salary(),
                f"{date.isoformat()}T00:00:00Z" if date else "",
                optional(lambda: group("D")),
                optional(lambda: group("O")),
            ]
        )
